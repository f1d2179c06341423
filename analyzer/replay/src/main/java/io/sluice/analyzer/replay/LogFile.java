package io.sluice.analyzer.replay;

import io.sluice.settings.FileErrors;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPInputStream;

/**
 * A log in a file.
 *
 * @param name as the user gave it: the path, or {@code -}
 * @param temporary whether it is our own copy of what can be read only once, deleted when the log is closed
 */
public record LogFile(String name, Path path, boolean temporary) implements AccessLog {
    private static final int BUFFER = 1 << 16;

    /**
     * @param argument a file, or {@code -} for standard input. What can be read only once, such as a pipe, is copied to a temporary file
     * @throws IOException when there is no such file; the message is for the user
     */
    public static LogFile of(String argument, InputStream standardInput) throws IOException {
        if (argument.equals("-")) {
            return copied("-", standardInput);
        }
        Path path = Path.of(argument);
        try (InputStream readable = Files.newInputStream(path)) {
            if (!Files.isRegularFile(path) && !Files.isDirectory(path)) {
                return copied(argument, readable);
            }
            int unused = readable.read();
        } catch (IOException e) {
            throw new IOException(FileErrors.message(path, e), e);
        }
        return new LogFile(argument, path, false);
    }

    private static LogFile copied(String name, InputStream content) throws IOException {
        Path copy = Files.createTempFile("sluice-replay", ".log");
        try {
            Files.copy(content, copy, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.delete(copy);
            throw e;
        }
        return new LogFile(name, copy, true);
    }

    /** Its lines from the beginning; a log compressed with gzip is recognised whatever its name. */
    @Override
    public Lines lines() throws IOException {
        InputStream file = new BufferedInputStream(Files.newInputStream(path), BUFFER);
        try {
            return new StreamLines(unpacked(file));
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** Returns the content of a stream, unpacked where it begins as gzip does, and without a byte order mark of UTF-8. */
    static InputStream unpacked(InputStream stream) throws IOException {
        stream.mark(2);
        boolean gzip = stream.read() == 0x1f && stream.read() == 0x8b;
        stream.reset();
        InputStream content = gzip ? new BufferedInputStream(new GZIPInputStream(stream, BUFFER), BUFFER) : stream;
        content.mark(3);
        if (content.read() != 0xef || content.read() != 0xbb || content.read() != 0xbf) {
            content.reset();
        }
        return content;
    }

    @Override
    public void close() throws IOException {
        if (temporary) {
            Files.deleteIfExists(path);
        }
    }
}
