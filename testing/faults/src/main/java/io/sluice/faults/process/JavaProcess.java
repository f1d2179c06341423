package io.sluice.faults.process;

import io.sluice.kafka.embedded.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One of our main classes in a JVM of its own, to be killed, frozen and terminated. It runs with this process's Java and class
 * path, is spoken to line by line, and ends when this process does. What it prints on its error stream goes to {@code
 * NAME.log} in its folder. One thread.
 */
public final class JavaProcess implements AutoCloseable {
    private static final int LOG_END = 4_000;

    private final Spec spec;
    private final Replies replies = new Replies();
    private Process process;

    /**
     * What to run.
     *
     * @param prefix what stands in front of the command, such as a network namespace's {@code ip netns exec NAME}
     * @param environment beside this process's own, of which nothing that begins with {@code SLUICE_} is handed on
     */
    public record Spec(
            String name,
            Path folder,
            Class<?> main,
            List<String> prefix,
            List<String> javaOptions,
            List<String> arguments,
            Map<String, String> environment) {
        public Spec {
            prefix = List.copyOf(prefix);
            javaOptions = List.copyOf(javaOptions);
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
        }

        /** Without a prefix and with the usual environment. */
        public Spec(String name, Path folder, Class<?> main, List<String> javaOptions, List<String> arguments) {
            this(name, folder, main, List.of(), javaOptions, arguments, Map.of());
        }

        /** Run behind another command. */
        public Spec behind(List<String> newPrefix) {
            return new Spec(name, folder, main, newPrefix, javaOptions, arguments, environment);
        }

        /** With further variables, such as {@link FakeTime#environment}. */
        public Spec with(Map<String, String> variables) {
            Map<String, String> all = new LinkedHashMap<>(environment);
            all.putAll(variables);
            return new Spec(name, folder, main, prefix, javaOptions, arguments, all);
        }

        /** With further options of the JVM. */
        public Spec java(List<String> options) {
            List<String> all = new ArrayList<>(javaOptions);
            all.addAll(options);
            return new Spec(name, folder, main, prefix, all, arguments, environment);
        }
    }

    private JavaProcess(Spec spec) {
        this.spec = spec;
        this.process = launch();
    }

    /** Starts it; it may not be ready yet. */
    public static JavaProcess start(Spec spec) {
        return new JavaProcess(spec);
    }

    private Process launch() {
        replies.clear();
        Process started = Launch.of(spec, log());
        replies.read(started, spec.folder.resolve(spec.name + ".out"), spec.name);
        return started;
    }

    private Path log() {
        return spec.folder.resolve(spec.name + ".log");
    }

    /** Says a line to it without waiting for an answer. */
    public void say(String line) {
        try {
            Writer to = process.outputWriter(StandardCharsets.UTF_8);
            to.write(line + "\n");
            to.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(this + "\ndoes not listen to: " + line, e);
        }
    }

    /**
     * Says a line to it and waits for the line of its answer.
     *
     * @throws IllegalStateException when it does not answer in time
     */
    public String ask(String line, Duration patience) {
        say(line);
        return reply(patience)
                .orElseThrow(() ->
                        new IllegalStateException("no answer to '" + line + "' within " + patience + " from " + this));
    }

    /** The next line of an answer, if there is one in time. */
    public Optional<String> reply(Duration patience) {
        return replies.next(patience);
    }

    /** The operating system's number of the process. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process is there; a frozen one is. */
    public boolean alive() {
        return process.isAlive();
    }

    /** SIGKILL; it is gone when this returns. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGSTOP. */
    public void freeze() {
        Signal.STOP.send(pid());
    }

    /** SIGCONT. */
    public void resume() {
        Signal.CONT.send(pid());
    }

    /** SIGTERM; does not wait. */
    public void terminate() {
        // the process's own destroy would end its input as well, and that is its sign that we are gone
        process.toHandle().destroy();
    }

    /** Its exit code, once it has ended; empty when that takes longer than the patience. */
    public Optional<Integer> exit(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)
                    ? Optional.of(process.exitValue())
                    : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Starts it again as it was, after it has ended. */
    public void restart() {
        if (alive()) {
            throw new IllegalStateException(spec.name + " still runs");
        }
        process = launch();
    }

    /** The most memory that it has had at once, bytes: its resident set, as Linux tells it. */
    public long mostMemory() {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .findFirst()
                    .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .orElseThrow(() -> new IllegalStateException("no VmHWM of " + this));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything that it wrote to its log, over all its lives. */
    public String logged() {
        try {
            return Files.exists(log()) ? Files.readString(log()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For messages: its name, whether it runs, and what it said last. */
    @Override
    public String toString() {
        String said = logged();
        return spec.name + (alive() ? " runs" : " ended with " + process.exitValue()) + "\n"
                + said.substring(Math.max(0, said.length() - LOG_END));
    }

    @Override
    public void close() {
        kill();
    }
}
