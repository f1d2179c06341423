package io.sluice.accesslogs;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** The real rsyslogd with the shipped settings. */
final class Rsyslog implements AutoCloseable {
    private static final String PACKAGE = "rsyslog-kafka";

    private final Path folder;
    private Program program;

    private Rsyslog(Path folder, Program program) {
        this.folder = folder;
        this.program = program;
    }

    /** Its path; skips the test where it, or its module for Kafka, is missing. */
    static String needed() {
        String rsyslogd = Program.needed("rsyslogd", PACKAGE);
        try (Stream<Path> modules =
                Files.find(Path.of("/usr/lib"), 3, (path, is) -> path.endsWith(Path.of("rsyslog", "omkafka.so")))) {
            if (modules.findAny().isEmpty()) {
                Program.missing("omkafka", PACKAGE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rsyslogd;
    }

    /** Starts it: it reads this log and publishes to that broker. */
    static Rsyslog start(Path folder, Path log, String bootstrap) throws IOException {
        Path spool = Files.createDirectories(folder.resolve("spool"));
        Path shipped = Settings.copy(
                "rsyslog.conf",
                folder.resolve("rsyslog-sluice.conf"),
                Map.of(
                        "/var/log/nginx/sluice.json", log.toString(),
                        "127.0.0.1:9092", bootstrap,
                        "/var/spool/rsyslog", spool.toString()));
        Files.writeString(
                folder.resolve("rsyslog-main.conf"), """
                global(workDirectory="%s")
                action(type="omfile" file="%s")
                include(file="%s")
                """.formatted(spool, folder.resolve("rsyslog-says"), shipped));
        return new Rsyslog(folder, launch(folder));
    }

    private static Program launch(Path folder) throws IOException {
        Program program = Program.start(
                folder,
                needed(),
                "-n",
                "-f",
                folder.resolve("rsyslog-main.conf").toString(),
                "-i",
                folder.resolve("rsyslog.pid").toString());
        await("rsyslogd").atMost(Duration.ofMinutes(2)).until(() -> Files.exists(folder.resolve("rsyslog.pid")));
        return program;
    }

    /** SIGTERM, and again from the same settings. */
    void restart() throws IOException {
        program.close();
        program = launch(folder);
    }

    /** Returns its own messages. */
    String messages() throws IOException {
        Path messages = folder.resolve("rsyslog-says");
        return Files.exists(messages) ? Files.readString(messages) : "nothing";
    }

    boolean alive() {
        return program.alive();
    }

    @Override
    public void close() {
        program.close();
    }
}
