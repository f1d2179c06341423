package io.sluice.benchmarks.reaction;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A contender that stands in a JVM of its own for the whole run, and ends with this one. */
final class Standing implements AutoCloseable {
    /** What a child prints when it is up. */
    static final String READY = "ready";

    private static final int LINES_KEPT = 40;
    private static final long STOP_SECONDS = 10;

    private final Process process;
    private final Deque<String> last = new ArrayDeque<>();

    private Standing(Process process) {
        this.process = process;
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

    /**
     * Waits until it is up; what it prints from then on goes to standard error.
     *
     * @throws IOException when it ends first, with its last lines
     */
    void awaitReady() throws IOException {
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.equals(READY)) {
                Thread rest = new Thread(() -> lines.lines().forEach(System.err::println), "child-output");
                rest.setDaemon(true);
                rest.start();
                return;
            }
            last.addLast(line);
            if (last.size() > LINES_KEPT) {
                last.removeFirst();
            }
        }
        throw new IOException("a contender did not come up:\n" + String.join("\n", last));
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
