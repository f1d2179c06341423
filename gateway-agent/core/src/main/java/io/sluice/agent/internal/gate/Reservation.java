package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Permit;
import io.sluice.contract.event.RequestAttributes;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The permits that a request took from a limit of cost, until its cost is known. Thread-safe: only the first settlement has an effect. */
final class Reservation implements Permit {
    private final GateTable table;
    private final RequestAttributes request;
    private final Limit limit;
    private final Limiter<LimiterConfig> limiter;
    private final long reserved;
    private final long takenAt;
    private final long taken;
    private final LongSupplier ticks;
    private final @Nullable Permit also;
    private final AtomicBoolean settled = new AtomicBoolean();

    /**
     * For permits that were taken.
     *
     * @param reserved the permits; 0 where a limit that only reports had too few
     * @param takenAt the time with which they were taken
     * @param taken the result of taking them
     * @param ticks the clock of {@code takenAt}
     * @param also what the request holds besides
     */
    Reservation(
            GateTable table,
            RequestAttributes request,
            Limit limit,
            Limiter<LimiterConfig> limiter,
            long reserved,
            long takenAt,
            long taken,
            LongSupplier ticks,
            @Nullable Permit also) {
        this.table = table;
        this.request = request;
        this.limit = limit;
        this.limiter = limiter;
        this.reserved = reserved;
        this.takenAt = takenAt;
        this.taken = taken;
        this.ticks = ticks;
        this.also = also;
    }

    @Override
    public void settle(long actual) {
        if (settled.compareAndSet(false, true)) {
            if (actual < reserved) {
                limiter.refund(limit.terms(), reserved - actual, takenAt, taken, ticks);
            } else if (actual > reserved) {
                // the limiter may have been replaced since, or the subject may have got one of its own
                table.charge(request, limit, actual - reserved, ticks.getAsLong(), ticks);
            }
            if (also != null) {
                also.settle(actual);
            }
        }
    }

    @Override
    public void close(Completion completion, long delayNanos) {
        if (also != null) {
            also.close(completion, delayNanos);
        }
    }
}
