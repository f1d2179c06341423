package io.sluice.kafka.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The POSIX signals that Java itself cannot send. */
public enum Signal {
    /** Freezes a process; it cannot be refused. */
    STOP,
    /** Lets it go on. */
    CONT;

    /** Sends it through the shell's own {@code kill}, which every POSIX system has. */
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
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during " + command, interrupted);
        }
    }
}
