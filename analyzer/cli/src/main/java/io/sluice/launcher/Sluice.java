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
    private static final String LOG = "sluice.log";
    private static final String KAFKA_LOG = "sluice.log.kafka";
    /** Commands that run for long and log; the others print. */
    private static final Set<String> SERVICES = Set.of("analyzer", "gateway", "sidecar");

    private Sluice() {}

    /**
     * Runs one command.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        // before the first logger is made: logback.xml asks for both
        List<String> words = List.of(args);
        boolean service = words.stream().anyMatch(SERVICES::contains);
        preset(LOG, service ? "INFO" : "WARN");
        preset(KAFKA_LOG, "ERROR");
        System.exit(commandLine(args).execute(args));
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
