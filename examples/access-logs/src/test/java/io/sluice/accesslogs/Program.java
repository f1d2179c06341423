package io.sluice.accesslogs;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of the operating system's that a test starts and ends. What it prints stands in a file beside its settings. */
final class Program implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final Path output;

    private Program(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Its path; where it is missing the test is skipped, or fails where everything has to be there. */
    static String needed(String name, String debianPackage) {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseGet(() -> missing(name, debianPackage));
    }

    /** Ends the test: skipped, or failed where everything has to be there. */
    static String missing(String name, String debianPackage) {
        String message =
                name + " is not installed (Debian: apt-get install " + debianPackage + "): this test did not run";
        if ("true".equals(System.getenv("CI"))) {
            fail(message);
        }
        abort(message);
        return "";
    }

    /** Starts it in a folder; it must stay in the foreground. */
    static Program start(Path folder, String... command) throws IOException {
        Path output =
                Files.createTempFile(folder, Path.of(command[0]).getFileName().toString(), ".out");
        Process process = new ProcessBuilder(List.of(command))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Program(process, output);
    }

    boolean alive() {
        return process.isAlive();
    }

    String printed() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGTERM to it and its children; SIGKILL when that is not enough. */
    @Override
    public void close() {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                all.forEach(ProcessHandle::destroyForcibly);
            }
        } catch (InterruptedException e) {
            all.forEach(ProcessHandle::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }
}
