package io.sluice.accesslogs;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** kcat, which publishes lines and reads a topic. */
final class Kcat {
    private Kcat() {}

    /** Follows a log with the command of the README; to be closed. */
    static Program follow(Path folder, Path log, String bootstrap, String topic) throws IOException {
        String kcat = Program.needed("kcat", "kcat");
        String command = Settings.quoted("tail ")
                .replace("/var/log/nginx/access.log", "'" + log + "'")
                .replace(" kcat ", " '" + kcat + "' ")
                .replace("kafka:9092", bootstrap)
                .replace("sluice.requests", topic);
        return Program.start(folder, "/bin/sh", "-c", command);
    }

    /** Returns the records of a topic as {@code PARTITION VALUE}; complaints go to target/kcat.log. */
    static List<String> read(String bootstrap, String topic) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Program.needed("kcat", "kcat"),
                        "-m",
                        "60",
                        "-C",
                        "-b",
                        bootstrap,
                        "-t",
                        topic,
                        "-e",
                        "-q",
                        "-f",
                        "%p %s\\n")
                .redirectError(ProcessBuilder.Redirect.appendTo(new File("target/kcat.log")))
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return lines;
    }
}
