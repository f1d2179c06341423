package io.sluice.http.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads a request's body as it comes in and keeps so much of it at the most. What is more is read and dropped, up to a
 * mebibyte in all: a client that is refused while still sending finds the connection closed, without an answer. How long that may take is
 * bounded by {@link Connections}. Reads one body; never blocks.
 */
public final class BoundedBody implements Invocable.Task {
    private static final int PATIENCE = 1 << 20;

    private final Content.Source from;
    private final int most;
    private final To to;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long length;

    /** Result of reading: one of three. */
    public interface To {
        void whole(byte[] body);

        void tooLong();

        void failed(Throwable why);
    }

    private BoundedBody(Content.Source from, int most, To to) {
        this.from = from;
        this.most = most;
        this.to = to;
    }

    /** @param most bytes that are kept */
    public static void read(Content.Source from, int most, To to) {
        new BoundedBody(from, most, to).run();
    }

    @Override
    public void run() {
        while (true) {
            Content.Chunk chunk = from.read();
            if (chunk == null) {
                from.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                to.failed(chunk.getFailure());
                return;
            }
            take(chunk.getByteBuffer());
            boolean last = chunk.isLast();
            chunk.release();
            if (last || length > Math.max(PATIENCE, most)) {
                end();
                return;
            }
        }
    }

    private void take(ByteBuffer bytes) {
        length += bytes.remaining();
        if (length <= most) {
            byte[] more = new byte[bytes.remaining()];
            bytes.get(more);
            kept.writeBytes(more);
        }
    }

    private void end() {
        if (length > most) {
            to.tooLong();
        } else {
            to.whole(kept.toByteArray());
        }
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }
}
