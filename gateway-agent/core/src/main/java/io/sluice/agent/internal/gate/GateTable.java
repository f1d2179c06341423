package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.policy.Attribute;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The gates of one policy, by subject. Looking up takes no lock and allocates nothing (but for the text of an address
 * prefix); only where a gate or a limiter is started monitors are held, for a moment: of the subject, and of its part of the table. Requests, the
 * sweeper and the lock book may use it at once.
 *
 * <p>Exactness across forgetting and overflow rests on three rules. A new limiter starts as if it had been idle at the last
 * sweep, and only idle ones are swept. While the shared limiter is not idle, a new one starts empty, for its subject may have
 * used the shared one; where nothing but the end of requests gives permits back, the subject stays with the shared one
 * until that is idle. Who took from the shared limiter looks for the subject's own gate afterwards, and who made a gate looks at the
 * shared limiter afterwards: one of the two sees the other.
 */
final class GateTable {
    private final SubjectTable gates = new SubjectTable();
    private final SharedLimiters shared = new SharedLimiters();
    private final SubjectExtractor per;
    private final GateCount count;
    private final LockTable locks;
    private volatile boolean dropped;

    GateTable(List<Attribute> per, GateCount count) {
        this.per = new SubjectExtractor(per);
        this.count = count;
        this.locks = new LockTable(gates, count, this.per.size());
    }

    /** Whether its gates are found by these attributes. */
    boolean isPer(List<Attribute> attributes) {
        return per.isOf(attributes);
    }

    LockTable locks() {
        return locks;
    }

    /** What is kept for a subject, or {@code null}. */
    @Nullable
    SubjectEntry kept(SubjectKey key) {
        return gates.get(key);
    }

    /** What is kept for the request's subject, or {@code null}. */
    @Nullable
    SubjectEntry find(RequestAttributes request) {
        return per.find(gates, request);
    }

    /**
     * The limiter that the request's subject is to be charged to, its own or the shared one. It may be forgotten before it
     * is asked; then look again.
     *
     * @param found what {@link #find} said of the request
     * @param ticks the clock that {@code now} comes from
     * @return {@code null} when the request lacks an attribute and so has no subject
     */
    @Nullable
    Limiter<LimiterConfig> limiter(
            @Nullable SubjectEntry found, RequestAttributes request, Limit limit, long now, LongSupplier ticks) {
        Limiter<LimiterConfig> known = found instanceof SubjectGate gate ? settled(gate, limit) : null;
        if (known != null) {
            return known;
        }
        if (found == null && count.full()) {
            // as below, without the objects: callers that find no room are many
            return per.has(request) ? shared.limiter(limit, now) : null;
        }
        SubjectKey key = per.key(request);
        if (key == null) {
            return null;
        }
        while (true) {
            SubjectGate made = gate(key);
            Limiter<LimiterConfig> own = made == null ? shared.limiter(limit, now) : started(made, limit, now, ticks);
            if (own != null) {
                return own;
            }
        }
    }

    private static @Nullable Limiter<LimiterConfig> settled(SubjectGate gate, Limit limit) {
        Limiter<LimiterConfig> limiter = gate.limiter(limit);
        boolean usable = limiter != null && (gate.isBucketOf(limit) ? gate.idleFrom() >= 0 : !limiter.removed());
        return usable ? limiter : null;
    }

    /** The gate of a locked subject; {@code null} when its lock was let go of meanwhile and there is no room. */
    @Nullable
    SubjectGate gate(@Nullable SubjectEntry found, RequestAttributes request) {
        if (found instanceof SubjectGate gate) {
            return gate;
        }
        SubjectKey key = per.key(request);
        return key == null ? null : gate(key);
    }

    /** The gate of a subject, made if there is room; else {@code null}. */
    private @Nullable SubjectGate gate(SubjectKey key) {
        while (true) {
            SubjectEntry kept = gates.get(key);
            if (kept instanceof SubjectGate gate && !gate.removed()) {
                return gate;
            }
            if (kept instanceof LockEntry lock) {
                // counted already, as a lock
                SubjectGate made = new SubjectGate(key);
                made.hold(lock, null);
                if (gates.replace(lock, made)) {
                    return kept(made);
                }
            } else if (kept != null) {
                remove(kept);
            } else if (!count.reserve()) {
                return null;
            } else {
                SubjectGate made = new SubjectGate(key);
                if (gates.add(made)) {
                    return kept(made);
                }
                count.free(1);
            }
        }
    }

    /** It goes out again when the table was dropped meanwhile; this one check may still use it. */
    private SubjectGate kept(SubjectGate made) {
        if (dropped) {
            remove(made);
        }
        return made;
    }

    /** The gate's limiter, started if need be; {@code null} when the gate was forgotten meanwhile. */
    private @Nullable Limiter<LimiterConfig> started(SubjectGate gate, Limit limit, long now, LongSupplier ticks) {
        synchronized (gate) {
            Limiter<LimiterConfig> known = settled(gate, limit);
            return known != null || gate.removed() ? known : shared.started(gate, limit, now, ticks);
        }
    }

    SharedLimiters shared() {
        return shared;
    }

    /** Whether the request's subject, which was charged to the shared limiter, has its own meanwhile. */
    boolean promoted(RequestAttributes request, Limit limit) {
        SubjectEntry kept = find(request);
        if (!(kept instanceof SubjectGate gate) || !limit.inFlight()) {
            return kept != null && !limit.inFlight();
        }
        // a limiter is started only while the shared one is seen idle, under this monitor too
        synchronized (gate) {
            return settled(gate, limit) != null;
        }
    }

    /**
     * Forgets the gates that can't be told from new ones, and the limiters whose slot is no longer in use.
     *
     * @param slots the slots in use
     * @param monitor the lock book's: no lock may be put on a gate while it is being forgotten
     */
    void sweep(long now, Set<Integer> slots, Object monitor) {
        shared.swept(now);
        shared.retain(slots);
        gates.forEach(kept -> {
            if (kept instanceof SubjectGate gate) {
                gate.retain(slots);
            }
            if (kept instanceof SubjectGate gate && !gate.held() && gate.idle(now)) {
                synchronized (monitor) {
                    if (!gate.held() && gate.removeIdleLimiters(now)) {
                        remove(gate);
                    }
                }
            }
        });
    }

    /** The table is no longer used, but for checks that are on their way. */
    void drop() {
        dropped = true;
        gates.forEach(this::remove);
    }

    private void remove(SubjectEntry kept) {
        if (gates.remove(kept)) {
            count.free(1);
        }
    }
}
