package io.sluice.faults.process;

import io.sluice.faults.host.HostMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What a process answers, line by line; what it prints beside goes to a file. Thread-safe. */
final class Replies {
    private final BlockingQueue<String> waiting = new LinkedBlockingQueue<>();

    /** Begins to read what a process says, on a thread of its own that ends with it. */
    void read(Process from, Path beside, String name) {
        Thread reader = new Thread(() -> take(from, beside), "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    private void take(Process from, Path beside) {
        try (BufferedReader lines = from.inputReader(StandardCharsets.UTF_8);
                Writer log = Files.newBufferedWriter(beside, StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(HostMain.REPLY)) {
                    waiting.add(line.substring(HostMain.REPLY.length()));
                } else {
                    log.write(line + "\n");
                    log.flush();
                }
            }
        } catch (IOException killed) {
            // it takes its pipe with it
        }
    }

    Optional<String> next(Duration patience) {
        try {
            return Optional.ofNullable(waiting.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    void clear() {
        waiting.clear();
    }
}
