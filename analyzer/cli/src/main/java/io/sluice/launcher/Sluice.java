package io.sluice.launcher;

import io.sluice.analyzer.cli.CommandSource;
import io.sluice.analyzer.cli.SluiceCommand;
import io.sluice.demo.DemoCommand;
import io.sluice.sidecar.SidecarCommand;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;

/** Entry point of the {@code sluice} launcher: {@code sidecar} and {@code demo} are added here to the analyzer's command line. */
public final class Sluice {
    /** Commands that run for long and log; the others print. */
    private static final Set<String> SERVICES = Set.of("analyzer", "gateway", "sidecar");

    private Sluice() {}

    /**
     * Runs one command.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        boolean service = List.of(args).stream().anyMatch(SERVICES::contains);
        presetLogging(service ? "INFO" : "WARN", "ERROR");
        int code = commandLine(args).execute(args);
        if (code == 0 && System.out.checkError()) {
            System.err.println("the output could not be written");
            code = 1;
        }
        System.exit(code);
    }

    /** Sets what is not set yet. Called before the first logger is made. */
    static void presetLogging(String level, String kafkaLevel) {
        preset(ConsoleLog.LEVEL, level);
        preset(ConsoleLog.KAFKA_LEVEL, kafkaLevel);
        // named, so that SLF4J does not search a hundred jars for it
        preset("slf4j.internal.verbosity", "WARN");
        preset("slf4j.provider", "ch.qos.logback.classic.spi.LogbackServiceProvider");
    }

    static CommandLine commandLine(String... arguments) {
        return SluiceCommand.commandLine(new LauncherCommands(), arguments);
    }

    private static final class LauncherCommands implements CommandSource {
        @Override
        public List<String> names() {
            return List.of("sidecar", "demo");
        }

        @Override
        public Object create(String name) {
            return name.equals("demo") ? new DemoCommand() : new SidecarCommand();
        }
    }

    private static void preset(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
