package io.sluice.analyzer.replay;

import io.sluice.contract.json.BoundedJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cuts a stream into lines of bytes. Of a line that is too long to be an event only the beginning is kept. */
final class StreamLines implements Lines {
    // one more than a format reads, so that the format reports that it is too long
    private static final int MAX_LINE = BoundedJson.MAX_BYTES + 1;

    private final InputStream stream;
    private final byte[] buffer = new byte[1 << 16];
    private byte[] line = new byte[1024];
    private int at;
    private int end;
    private long number;

    StreamLines(InputStream stream) {
        this.stream = stream;
    }

    /** Without its line feed. */
    @Override
    public byte @Nullable [] next() throws IOException {
        int length = 0;
        boolean any = false;
        while (at < end || fill()) {
            any = true;
            int from = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            length = keep(from, at, length);
            if (at < end) {
                at++;
                break;
            }
        }
        if (!any) {
            return null;
        }
        number++;
        return Arrays.copyOf(line, length);
    }

    @Override
    public long number() {
        return number;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, stream.read(buffer));
        return end > 0;
    }

    private int keep(int from, int to, int length) {
        int more = Math.min(to - from, MAX_LINE - length);
        if (length + more > line.length) {
            line = Arrays.copyOf(line, Math.max(length + more, 2 * line.length));
        }
        System.arraycopy(buffer, from, line, length, more);
        return length + more;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
