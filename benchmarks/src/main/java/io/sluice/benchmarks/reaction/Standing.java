package io.sluice.benchmarks.reaction;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A contender that stands in a JVM of its own for the whole run, and ends with this one. */
final class Standing implements AutoCloseable {
    /** What a child prints when it is up. */
    static final String READY = "ready";

    private static final int LINES_KEPT = 40;
    private static final long READY_SECONDS = 60;
    private static final long STOP_SECONDS = 10;

    private final Process process;
    private final Deque<String> last = new ConcurrentLinkedDeque<>();
    private final CountDownLatch settled = new CountDownLatch(1);
    private volatile boolean ready;

    private Standing(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "child-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a main class with this process's Java and class path; returns at once. */
    static Standing start(Class<?> main, List<String> javaOptions, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return new Standing(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** What it prints once it is up goes to standard error. */
    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(READY)) {
                    ready = true;
                    settled.countDown();
                } else if (ready) {
                    System.err.println(line);
                } else {
                    last.addLast(line);
                    if (last.size() > LINES_KEPT) {
                        last.removeFirst();
                    }
                }
            }
        } catch (IOException closed) {
            last.addLast(closed.toString());
        } finally {
            settled.countDown();
        }
    }

    /**
     * Waits until it is up, a minute at most.
     *
     * @throws IOException when it ends first or takes longer, with its last lines
     */
    void awaitReady() throws IOException, InterruptedException {
        boolean inTime = settled.await(READY_SECONDS, TimeUnit.SECONDS);
        if (!ready) {
            throw new IOException("a contender %s:%n%s"
                    .formatted(
                            inTime ? "ended before it was up" : "did not come up within " + READY_SECONDS + " s",
                            String.join("\n", last)));
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
