package io.sluice.analyzer.replay;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A log in heap, plain or compressed with gzip. Thread-safe.
 *
 * @param name that the user gave
 * @param bytes its content, which is not copied
 * @param most bytes that it may unpack to; reading beyond them fails
 */
@SuppressWarnings("ArrayRecordComponent") // read, compared never
public record LogBytes(String name, byte[] bytes, long most) implements AccessLog {

    @Override
    public Lines lines() throws IOException {
        return new StreamLines(new Bounded(LogFile.unpacked(new ByteArrayInputStream(bytes)), most));
    }

    /** A stream that fails beyond a number of bytes: of a long line only the beginning becomes a line, but all of it is unpacked. */
    private static final class Bounded extends InputStream {
        private final InputStream stream;
        private final long most;
        private long read;

        Bounded(InputStream stream, long most) {
            this.stream = stream;
            this.most = most;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int count = stream.read(to, offset, length);
            read += Math.max(0, count);
            if (read > most) {
                throw new BeyondBounds("the log unpacks to more than " + most
                        + " bytes; shorten it, or use './sluice replay' on the machine that has it");
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
