package io.sluice.agent.limit;

import io.sluice.agent.limit.InFlight.End;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A permit to be in flight, to be closed when the work is done, however it ended. Closing it again, also by several
 * threads at once, is harmless: the first word counts.
 */
public final class Permit implements AutoCloseable {
    private static final VarHandle OPEN;

    static {
        try {
            OPEN = MethodHandles.lookup().findVarHandle(Permit.class, "open", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final InFlight from;
    private final InFlightRange range;
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
    public Permit(InFlight from, InFlightRange range, long takenAt, LongSupplier clock) {
        this(from, range, takenAt, clock, null);
    }

    /**
     * For one permit that was taken, with another that the same work holds and that is closed with it.
     *
     * @param takenAt the time with which it was taken
     * @param clock the clock that it was read from
     */
    public Permit(InFlight from, InFlightRange range, long takenAt, LongSupplier clock, @Nullable Permit also) {
        this.from = from;
        this.range = range;
        this.takenAt = takenAt;
        this.clock = clock;
        this.also = also;
    }

    /** The work ended well. */
    @Override
    public void close() {
        close(End.WELL);
    }

    /** The work ended like this. */
    public void close(End how) {
        if (OPEN.compareAndSet(this, true, false)) {
            from.end(range, 1, takenAt, clock.getAsLong(), how);
            if (also != null) {
                also.close(how);
            }
        }
    }
}
