package io.sluice.analyzer.replay.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The lines of a scenario's file, with their places. */
final class JsonLines implements AutoCloseable {
    private final Path file;
    private final BufferedReader reader;
    private int number;

    /** @throws IOException when there is no such file; the message is for the user */
    JsonLines(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": no such file; a scenario has " + Scenario.FILES);
        }
        this.file = file;
        reader = Files.newBufferedReader(file);
    }

    /** The next line, or {@code null} at the end. */
    @Nullable
    String next() throws IOException {
        number++;
        try {
            return reader.readLine();
        } catch (CharacterCodingException e) {
            throw new IOException(file + ": not UTF-8", e);
        }
    }

    /** The number of the line that was read last, from 1. */
    int number() {
        return number;
    }

    /** That line, for messages. */
    String place() {
        return file + ":" + number;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
