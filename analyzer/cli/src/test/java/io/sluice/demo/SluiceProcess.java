package io.sluice.demo;

import io.sluice.launcher.Sluice;
import io.sluice.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code ./sluice} with arguments, as the launcher runs it, but from this test's class path. */
final class SluiceProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private SluiceProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        Thread reader = new Thread(this::read, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    static SluiceProcess start(String name, List<String> arguments, Map<String, String> environment, Path folder)
            throws IOException {
        return start(name, arguments, environment, folder, System.getProperty("java.class.path"));
    }

    static SluiceProcess start(
            String name, List<String> arguments, Map<String, String> environment, Path folder, String classPath)
            throws IOException {
        List<String> command = ChildJvm.command(
                List.of("-Dsluice.patience=" + System.getProperty("sluice.patience", "1"), "-cp", classPath),
                Sluice.class);
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("SLUICE_"));
        builder.environment().putAll(environment);
        return new SluiceProcess(name, builder.start());
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The end of the last line that has this in it; empty when there is none yet. */
    String after(String text) {
        return lines.stream()
                .filter(line -> line.contains(text))
                .reduce((first, last) -> last)
                .map(line -> line.substring(line.indexOf(text) + text.length()))
                .orElse("");
    }

    /** The first line; empty when there is none yet. */
    String first() {
        return lines.isEmpty() ? "" : lines.get(0);
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Its exit code, or −1 when it does not end in time. */
    int exitCode(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    /** For messages: its name and what it said last. */
    @Override
    public String toString() {
        return Stream.concat(
                        Stream.of(name + (alive() ? " runs" : " ended")),
                        lines.stream().skip(Math.max(0, lines.size() - 30L)))
                .reduce("", (all, line) -> all + "\n    " + line);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
