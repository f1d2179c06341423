package io.sluice.kafka.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The POSIX signals that Java itself cannot send. */
public enum Signal {
    /** Freezes a process; it cannot be refused. Where the system has {@code /proc}, each of its threads stands still when this returns. */
    STOP,
    /** Lets it go on. */
    CONT;

    /** Sends it with the shell's own {@code kill}, which every POSIX system has. */
    public void send(long pid) {
        String command = "kill -" + this + " " + pid;
        try {
            int code = new ProcessBuilder("/bin/sh", "-c", command)
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException(command + " ended with code " + code);
            }
            while (this == STOP && running(Path.of("/proc", Long.toString(pid), "task"))) {
                Thread.onSpinWait();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during " + command, interrupted);
        }
    }

    /** The kernel stops thread after thread, after {@code kill} has ended. */
    private static boolean running(Path threads) throws IOException {
        if (!Files.isDirectory(threads)) {
            return false;
        }
        List<Path> all;
        try (Stream<Path> listed = Files.list(threads)) {
            all = listed.toList();
        }
        for (Path thread : all) {
            try {
                // "7 (a name) T …": the name may have brackets and blanks
                String stat = Files.readString(thread.resolve("stat"));
                if ("TtZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) < 0) {
                    return true;
                }
            } catch (IOException ended) {
                // a thread that has ended does not run
            }
        }
        return false;
    }
}
