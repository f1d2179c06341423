package io.sluice.sidecar;

import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.sluice.http.server.Connections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what gRPC calls hold until their request has been received completely: {@value #MOST_BYTES} bytes over all connections, and
 * {@link #TIME} per call. When the bytes run out, the oldest of these calls are ended, so stalled clients cannot block others. A call that is
 * ended gets {@code DEADLINE_EXCEEDED}, and its buffers are released. Thread-safe.
 */
final class IncompleteCalls extends ServerStreamTracer.Factory implements ServerInterceptor {
    /** From the headers to the end of the request. */
    static final Duration TIME = Connections.FIRST;

    static final int MOST_BYTES = 32 << 20;

    /** The buffer size of a connection's reads. */
    static final int READ = 8 << 10;

    /** Most headers of a call; counted in full for every call. */
    static final int METADATA = 16 << 10;

    /** Counted at least for each piece of a message: the largest buffer it can keep alive, a frame of 16 KiB and a read. */
    private static final int PIECE = 32 << 10;

    private static final Context.Key<Call> CALL = Context.key("incomplete call");

    private final LongSupplier nanos;
    private final LongAdder ended = new LongAdder();
    // oldest first; this and the bytes are guarded by this object's monitor
    private final Set<Call> calls = new LinkedHashSet<>();
    private long bytes;

    /** @param nanos a monotonic clock, such as a {@link io.sluice.http.server.RunningClock} */
    IncompleteCalls(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private final class Call extends ServerStreamTracer {
        private final long since = nanos.getAsLong();
        private volatile Context.@Nullable CancellableContext context;
        private volatile boolean over;
        private long held;

        @Override
        public Context filterContext(Context parent) {
            Context.CancellableContext own = parent.withValue(CALL, this).withCancellation();
            context = own;
            if (over) {
                end();
            }
            return own;
        }

        @Override
        public void inboundWireSize(long size) {
            hold(this, Math.max(size, PIECE));
        }

        @Override
        public void inboundUncompressedSize(long size) {
            hold(this, size);
        }

        @Override
        public void streamClosed(Status status) {
            release(this);
        }

        /** A server call is cancelled through its context, from any thread, only by a deadline: that is a TimeoutException. */
        void end() {
            over = true;
            Context.CancellableContext own = context;
            if (own != null && own.cancel(new TimeoutException("the request was not received completely in time"))) {
                ended.increment();
            }
        }
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        Call call = new Call();
        synchronized (this) {
            calls.add(call);
        }
        hold(call, METADATA);
        return call;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Call incomplete = CALL.get();
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            @Override
            public void onHalfClose() {
                release(incomplete);
                super.onHalfClose();
            }
        };
    }

    /** Ends the calls whose time is up; to be called every second or so. */
    void sweep() {
        long now = nanos.getAsLong();
        List<Call> late = new ArrayList<>();
        synchronized (this) {
            for (Call call : calls) {
                if (now - call.since < TIME.toNanos()) {
                    break;
                }
                late.add(call);
            }
            late.forEach(this::release);
        }
        late.forEach(Call::end);
    }

    private void hold(Call call, long size) {
        List<Call> oldest = new ArrayList<>(0);
        synchronized (this) {
            if (!calls.contains(call)) {
                return;
            }
            call.held += size;
            bytes += size;
            for (Iterator<Call> from = calls.iterator(); bytes > MOST_BYTES && from.hasNext(); ) {
                Call next = from.next();
                from.remove();
                bytes -= next.held;
                oldest.add(next);
            }
        }
        oldest.forEach(Call::end);
    }

    private synchronized void release(@Nullable Call call) {
        if (call != null && calls.remove(call)) {
            bytes -= call.held;
        }
    }

    /** How many bytes are held now, at most {@value #MOST_BYTES}. */
    synchronized long bytes() {
        return bytes;
    }

    /** How many calls were ended since the start. */
    long ended() {
        return ended.sum();
    }
}
