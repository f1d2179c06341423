package io.sluice.launcher;

import io.sluice.analyzer.cli.CommandSource;
import io.sluice.analyzer.cli.SluiceCommand;
import io.sluice.demo.DemoCommand;
import io.sluice.sidecar.SidecarCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;

/** Entry point of the {@code sluice} launcher: {@code sidecar} and {@code demo} are added here to the analyzer's command line. */
public final class Sluice {
    /** Commands that run for long and log; the others print. */
    private static final Set<String> SERVICES = Set.of("analyzer", "gateway", "sidecar");

    /** 128 and SIGPIPE. */
    private static final int PIPE_CLOSED = 141;

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
            code = outputFailed();
        }
        System.exit(code);
    }

    /** A closed pipe, as behind {@code | head}, is no error: the exit code is that of a process that SIGPIPE ends. */
    private static int outputFailed() {
        // a PrintStream does not keep its exception, so the reason takes another write
        try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            out.write('\n');
        } catch (IOException e) {
            // in other languages, too, the C library's text has this in brackets
            if (String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe")) {
                return PIPE_CLOSED;
            }
        }
        System.err.println("the output could not be written");
        return 1;
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
