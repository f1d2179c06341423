package io.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A named pipe (FIFO) that gives its content to its first reader and nothing to those after it, as a process substitution of a shell does. */
public final class NamedPipe {
    private NamedPipe() {}

    /**
     * Creates it.
     *
     * @return the file
     */
    public static Path create(Path file, String content) throws IOException, InterruptedException {
        Process made = new ProcessBuilder("mkfifo", file.toString()).inheritIO().start();
        if (made.waitFor() != 0) {
            throw new IOException("mkfifo " + file + " failed");
        }
        Thread writer = new Thread(() -> serve(file, content), "named-pipe");
        writer.setDaemon(true);
        writer.start();
        return file;
    }

    private static void serve(Path file, String content) {
        try {
            // each opening waits for a reader
            Files.writeString(file, content, StandardOpenOption.WRITE);
            while (true) {
                Files.writeString(file, "", StandardOpenOption.WRITE);
            }
        } catch (NoSuchFileException e) {
            // the folder of the test is gone
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
