package io.sluice.analyzer.main;

import io.sluice.analyzer.cli.SluiceCommand;
import io.sluice.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The {@code analyzer} command in a process of its own, so that it can be killed. It ends by itself when this process does. */
final class AnalyzerProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AnalyzerProcess.class);
    private static final long STOP_SECONDS = 120;
    private static final int LINES = 60;

    private final Path folder;
    private final String instance;
    private final List<String> options;
    private Process process;

    /** What the child runs. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) {
            Thread parent = new Thread(Child::endWithParent, "parent");
            parent.setDaemon(true);
            parent.start();
            System.exit(SluiceCommand.commandLine(args).execute(args));
        }

        private static void endWithParent() {
            try {
                while (System.in.read() >= 0) {
                    // standard input stays empty: this waits for its end
                }
            } catch (IOException e) {
                // as good as the end
            }
            Runtime.getRuntime().halt(1);
        }
    }

    private AnalyzerProcess(Path folder, String instance, List<String> options) throws IOException {
        this.folder = folder;
        this.instance = instance;
        this.options = options;
        this.process = launch();
    }

    /** @param settings the content of {@code sluice.yml}; the instance is told by the environment */
    static AnalyzerProcess start(Path folder, String instance, String settings) throws IOException {
        return start(
                folder,
                instance,
                settings,
                List.of("-Dsluice.test.log=" + System.getProperty("sluice.test.log", "ERROR")));
    }

    /** @param options of the JVM */
    static AnalyzerProcess start(Path folder, String instance, String settings, List<String> options)
            throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("sluice.yml"), settings);
        return new AnalyzerProcess(folder, instance, options);
    }

    private Process launch() throws IOException {
        List<String> all = new ArrayList<>();
        all.add("-Dsluice.patience=" + System.getProperty("sluice.patience", "1"));
        all.addAll(options);
        List<String> command = ChildJvm.command(all, Child.class);
        command.addAll(
                List.of("analyzer", "--config", folder.resolve("sluice.yml").toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().keySet().removeIf(variable -> variable.startsWith("SLUICE_"));
        builder.environment().put("SLUICE_ANALYZER_INSTANCE", instance);
        return builder.start();
    }

    private Path log() {
        return folder.resolve(instance + ".log");
    }

    /** The operating system's number of the newest process. */
    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** SIGKILL; it is gone when this returns. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Again, as the same instance with what its state directory holds. */
    void restart() throws IOException {
        process = launch();
    }

    /** SIGTERM; what it has read is counted and committed when this returns. */
    void terminate() throws InterruptedException {
        // Process.destroy closes the child's input as well, at which it halts
        process.toHandle().destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(this + " does not end");
        }
    }

    /** For messages: its name and what it said. */
    @Override
    public String toString() {
        try {
            return instance + (alive() ? " runs" : " ended with " + process.exitValue()) + "\n"
                    + Files.readString(log());
        } catch (IOException e) {
            return instance + ": " + e;
        }
    }

    /** Kills it. What it said last goes to the log of the test, whose end a failure shows. */
    @Override
    public void close() {
        process.destroyForcibly();
        List<String> said = toString().lines().toList();
        LOG.info(
                "the end of what {} said:\n{}",
                instance,
                String.join("\n", said.subList(Math.max(0, said.size() - LINES), said.size())));
    }
}
