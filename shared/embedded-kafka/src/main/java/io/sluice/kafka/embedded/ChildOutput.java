package io.sluice.kafka.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads what a broker process prints: finds its ready line and remembers the last lines for an error message. */
final class ChildOutput {

    private static final int REMEMBERED_LINES = 40;

    /** The address of the ready line; empty when the process ended without one. */
    private final CompletableFuture<Optional<String>> ready = new CompletableFuture<>();

    private final Thread reader;
    private final Deque<String> lines = new ArrayDeque<>();

    /** Follows the process's output on a daemon thread until it ends, so that the process never blocks on a full pipe. */
    ChildOutput(Process process) {
        reader = new Thread(() -> follow(process), "kafka-process-output");
        reader.setDaemon(true);
        reader.start();
    }

    private void follow(Process process) {
        try (BufferedReader reader = process.inputReader()) {
            String line = reader.readLine();
            while (line != null) {
                if (line.startsWith(EmbeddedKafkaMain.READY)) {
                    ready.complete(Optional.of(line.substring(EmbeddedKafkaMain.READY.length())));
                } else {
                    remember(line);
                }
                line = reader.readLine();
            }
        } catch (IOException gone) {
            // a killed process takes its pipe with it
        } finally {
            ready.complete(Optional.empty());
        }
    }

    private synchronized void remember(String line) {
        if (lines.size() == REMEMBERED_LINES) {
            lines.removeFirst();
        }
        lines.addLast(line);
    }

    /** All of it, up to the remembered number of lines, once the process has ended. */
    String untilEnd() throws InterruptedException {
        reader.join();
        return text();
    }

    /** The newest lines apart from the ready line. */
    synchronized String text() {
        return String.join("\n", lines);
    }

    /**
     * Waits for the ready line and returns the address in it.
     *
     * @throws KafkaStartException when the process ends first or takes too long, with what it printed
     */
    String awaitReady(Duration patience) {
        try {
            return ready.get(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .orElseThrow(() -> new KafkaStartException("the broker process ended:\n" + text()));
        } catch (ExecutionException never) {
            throw new IllegalStateException(never);
        } catch (TimeoutException late) {
            throw new KafkaStartException(
                    "the broker process was not ready within " + patience.toSeconds() + " s:\n" + text(), late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new KafkaStartException("interrupted while the broker process was starting", interrupted);
        }
    }
}
