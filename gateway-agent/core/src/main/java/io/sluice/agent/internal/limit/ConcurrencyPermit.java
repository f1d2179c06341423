package io.sluice.agent.internal.limit;

import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Permit;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Permits of a {@link ConcurrencyLimiter}, to be closed when the work ends. Thread-safe: only the first call has an effect. */
public final class ConcurrencyPermit implements Permit {
    private static final VarHandle OPEN;

    static {
        try {
            OPEN = MethodHandles.lookup().findVarHandle(ConcurrencyPermit.class, "open", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ConcurrencyLimiter from;
    private final ConcurrencyRange range;
    private final long permits;
    private final long takenAt;
    private final LongSupplier clock;
    private final @Nullable Permit also;

    @SuppressWarnings("unused") // through OPEN
    private volatile boolean open = true;

    /**
     * For one permit that was taken.
     *
     * @param takenAt the time with which it was taken
     * @param clock the clock that it was read from
     */
    public ConcurrencyPermit(ConcurrencyLimiter from, ConcurrencyRange range, long takenAt, LongSupplier clock) {
        this(from, range, 1, takenAt, clock, null);
    }

    /**
     * For permits that were taken, with another that the same work holds and that is closed with it.
     *
     * @param takenAt the time with which it was taken
     * @param clock the clock that it was read from
     */
    public ConcurrencyPermit(
            ConcurrencyLimiter from,
            ConcurrencyRange range,
            long permits,
            long takenAt,
            LongSupplier clock,
            @Nullable Permit also) {
        this.from = from;
        this.range = range;
        this.permits = permits;
        this.takenAt = takenAt;
        this.clock = clock;
        this.also = also;
    }

    /** Ends the work successfully. */
    public void close() {
        close(Completion.SUCCESS);
    }

    @Override
    public void close(Completion how, long delayNanos) {
        if (OPEN.compareAndSet(this, true, false)) {
            from.end(range, permits, takenAt, delayNanos, clock.getAsLong(), how);
            if (also != null) {
                also.close(how, delayNanos);
            }
        }
    }

    @Override
    public void settle(long actual) {
        if (also != null) {
            also.settle(actual);
        }
    }
}
