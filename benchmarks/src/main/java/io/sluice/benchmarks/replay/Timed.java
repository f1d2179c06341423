package io.sluice.benchmarks.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program as a user runs it: from its start to its end, start-up and all. */
final class Timed {

    private Timed() {}

    /**
     * Runs it and waits.
     *
     * @return wall seconds
     * @throws IOException when it fails or takes longer than its patience; the message ends with what it said
     */
    static double seconds(List<String> command, Path folder, Duration patience)
            throws IOException, InterruptedException {
        Path said = Files.createTempFile(folder, "said", ".txt");
        long began = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        process.getOutputStream().close();
        try {
            boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
            double seconds = (System.nanoTime() - began) / 1e9;
            if (!ended || process.exitValue() != 0) {
                throw new IOException("%s %s:%n%s"
                        .formatted(
                                String.join(" ", command),
                                ended ? "ended with " + process.exitValue() : "took longer than " + patience,
                                Files.readString(said)));
            }
            return seconds;
        } finally {
            process.destroyForcibly();
        }
    }
}
