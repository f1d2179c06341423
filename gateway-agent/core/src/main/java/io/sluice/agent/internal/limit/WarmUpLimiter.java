package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * A token bucket that warms up: after idle time it starts at a third of its rate and reaches the whole after the warm-up under load. This is {@code
 * SmoothWarmingUp} of Guava's {@code RateLimiter} with a cold factor of 3 (google/guava, {@code SmoothRateLimiter.java}), which rejects where Guava's
 * waits.
 *
 * <p>Idle time is stored as permits, one for each interval, up to the warm-up. A permit from the upper half of the store takes longer, the more are
 * stored; one from the lower half, or a fresh one, takes the interval. The state is the store and the time of the next permit. Permits may be ahead of
 * that time by a burst at the full rate, so that a cold limiter gives a third of its burst at once.
 *
 * <p>Several permits at once need the room that they need when warm; a cold limiter delays those after them instead. Each admission allocates a state
 * of 32 bytes. Permits are refunded at the warm interval in force. When the configuration changes, a store keeps its part of the warm-up and missing
 * permits remain missing.
 */
public @SuppressWarnings("ReferenceEquality") // of DROPPED there is one
final class WarmUpLimiter implements Limiter<WarmUpRate> {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(WarmUpLimiter.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * A state.
     *
     * @param next the time of the next permit
     * @param stored stored permits as of then
     */
    private record State(WarmUpRate rate, long next, double stored) {

        /** Returns the state as of now, if that is later. */
        State at(long now) {
            return now <= next
                    ? this
                    : new State(
                            rate, now, Math.min(rate.coldStore(), stored + (double) (now - next) / rate.interval()));
        }

        State under(WarmUpRate asked, long now) {
            if (asked.equals(rate)) {
                return this;
            }
            State from = at(now);
            double ahead = Math.ceil((double) (from.next - now) / rate.interval() * asked.interval());
            double store = from.stored / rate.coldStore() * asked.coldStore();
            return new State(asked, now + (long) Math.min(ahead, (double) LATEST), store);
        }

        State without(long permits) {
            return new State(rate, next + rate.cost(stored, permits), Math.max(0, stored - permits));
        }

        long coldFrom() {
            double missing = Math.ceil((rate.coldStore() - stored) * rate.interval());
            return next + (long) Math.max(0, missing);
        }
    }

    private static final State DROPPED = new State(new WarmUpRate(1, 1, 1), 0, 0);

    private volatile State state;

    /** @param next the time of the first permit; cold until then */
    public WarmUpLimiter(WarmUpRate rate, long next) {
        state = new State(rate, next, rate.coldStore());
    }

    @Override
    public long take(WarmUpRate asked, long permits, long now) {
        if (permits > asked.maxPermits()) {
            return NEVER;
        }
        while (true) {
            State seen = state;
            if (seen == DROPPED) {
                return REMOVED;
            }
            State current = seen.under(asked, now).at(now);
            long wait = current.next - now + (permits - 1) * asked.interval() - asked.tolerance();
            if (wait > 0) {
                return -wait;
            }
            State after = current.without(permits);
            if (STATE.compareAndSet(this, seen, after)) {
                return left(after, now);
            }
        }
    }

    @Override
    public long nextPermit(WarmUpRate asked, long now) {
        State seen = state;
        return seen == DROPPED || !seen.rate.equals(asked) ? 0 : Math.max(0, seen.next - now - asked.tolerance());
    }

    private static long left(State after, long now) {
        long room = after.rate.tolerance() - (after.next - now);
        return room < 0 ? 0 : Math.min(after.rate.burst(), room / after.rate.cost(after.stored, 1) + 1);
    }

    @Override
    public boolean charge(WarmUpRate asked, long permits, long now) {
        while (true) {
            State seen = state;
            if (seen == DROPPED) {
                return false;
            }
            State current = seen.under(asked, now).at(now);
            State after = current.without(permits);
            // an absurd charge delays by a day; what the limit has is charged, however long it takes to return
            long most = Math.max(CasLimiter.LONGEST_DEBT + asked.tolerance(), asked.window());
            long latest = Math.max(current.next, now + most);
            State bounded = after.next <= latest ? after : new State(asked, latest, after.stored);
            if (STATE.compareAndSet(this, seen, bounded)) {
                return true;
            }
        }
    }

    @Override
    public void refund(WarmUpRate asked, long permits, long takenAt, long taken, LongSupplier clock) {
        while (true) {
            State seen = state;
            long now = clock.getAsLong();
            if (seen == DROPPED || seen.next <= now) {
                return;
            }
            WarmUpRate own = seen.rate;
            long back = Math.min(seen.next - now, own.warmCost(permits));
            double stored = seen.stored + permits * (own.coldStore() / asked.coldStore());
            State after = new State(own, seen.next - back, Math.min(own.coldStore(), stored));
            if (STATE.compareAndSet(this, seen, after)) {
                return;
            }
        }
    }

    @Override
    public boolean removeIfIdle(long now) {
        State seen = state;
        return seen != DROPPED && seen.coldFrom() <= now && STATE.compareAndSet(this, seen, DROPPED);
    }

    @Override
    public boolean isIdle(long now) {
        return state.coldFrom() <= now;
    }

    @Override
    public long idleFrom() {
        return state.coldFrom();
    }

    @Override
    public boolean removed() {
        return state == DROPPED;
    }
}
