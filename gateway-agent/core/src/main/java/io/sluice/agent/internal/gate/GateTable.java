package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.policy.Attribute;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The subjects of one policy with their gates and locks. A look-up takes no lock and allocates nothing, except the text of an address prefix.
 * Monitors of the subject and of its part of the table are held briefly when a gate or a limiter is created. Requests, the sweeper and
 * the lock registry use it concurrently.
 *
 * <p>Removal and overflow stay exact by three rules. A new limiter starts as if it had been idle since the last sweep, and only idle limiters
 * are swept. While the shared limiter is not idle, a new one starts empty, because its subject may have used the shared one; a concurrency
 * limit stays with the shared limiter until that is idle. A thread that took from the shared limiter looks for the subject's own gate
 * afterwards, and a thread that created a gate looks at the shared limiter afterwards: one of the two sees the other.
 */
final class GateTable {
    private final SubjectTable gates = new SubjectTable();
    private final SharedLimiters shared = new SharedLimiters();
    private final SubjectExtractor per;
    private final GateCount count;
    private final LockTable locks;
    private volatile boolean dropped;

    /** @param arrivals advanced when a subject without a lock got one */
    GateTable(List<Attribute> per, GateCount count, AtomicInteger arrivals) {
        this.per = new SubjectExtractor(per);
        this.count = count;
        this.locks = new LockTable(gates, count, arrivals, this.per.size());
    }

    /** Returns whether subjects consist of these attributes. */
    boolean isPer(List<Attribute> attributes) {
        return per.isOf(attributes);
    }

    /** See {@link SubjectExtractor#text}. */
    @Nullable
    String subjectText(RequestAttributes request) {
        return per.text(request);
    }

    /** Returns the values of a request's subject, or {@code null} when the request lacks an attribute. */
    @Nullable
    List<String> subject(RequestAttributes request) {
        SubjectKey key = per.key(request);
        return key == null ? null : key.subject(per.size());
    }

    /** Returns whether a request has all attributes, and so a subject. */
    boolean hasSubject(RequestAttributes request) {
        return per.has(request);
    }

    LockTable locks() {
        return locks;
    }

    /** Returns the entry of a subject, or {@code null}. */
    @Nullable
    SubjectEntry kept(SubjectKey key) {
        return gates.get(key);
    }

    /** Returns the entry of the request's subject, or {@code null}. */
    @Nullable
    SubjectEntry find(RequestAttributes request) {
        return per.find(gates, request);
    }

    /**
     * Returns the limiter that the request is charged to: its subject's own or the shared one. It may be removed before it is used; callers retry
     * then.
     *
     * @param found the result of {@link #find} for the request
     * @param ticks the clock of {@code now}
     * @return {@code null} when the request lacks an attribute and has no subject
     */
    @Nullable
    Limiter<LimiterConfig> limiter(
            @Nullable SubjectEntry found, RequestAttributes request, Limit limit, long now, LongSupplier ticks) {
        Limiter<LimiterConfig> known = found instanceof SubjectGate gate ? settled(gate, limit) : null;
        if (known != null) {
            return known;
        }
        if (found == null && count.full()) {
            // as below without allocating: many callers may find no room
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

    /** Charges permits that a request has used already, see {@link Limiter#charge}. */
    void charge(RequestAttributes request, Limit limit, long permits, long now, LongSupplier ticks) {
        Limiter<LimiterConfig> limiter;
        do {
            limiter = limiter(find(request), request, limit, now, ticks);
        } while (limiter != null && !limiter.charge(limit.terms(), permits, now));
    }

    private static @Nullable Limiter<LimiterConfig> settled(SubjectGate gate, Limit limit) {
        Limiter<LimiterConfig> limiter = gate.limiter(limit);
        boolean usable = limiter != null && (gate.isBucketOf(limit) ? gate.idleFrom() >= 0 : !limiter.removed());
        return usable ? limiter : null;
    }

    /** Returns the gate of a locked subject; {@code null} when its lock was removed meanwhile and there is no room. */
    @Nullable
    SubjectGate gate(@Nullable SubjectEntry found, RequestAttributes request) {
        if (found instanceof SubjectGate gate) {
            return gate;
        }
        SubjectKey key = per.key(request);
        return key == null ? null : gate(key);
    }

    /** Returns the gate of a subject, created if there is room; else {@code null}. */
    private @Nullable SubjectGate gate(SubjectKey key) {
        while (true) {
            SubjectEntry kept = gates.get(key);
            if (kept instanceof SubjectGate gate && !gate.removed()) {
                return gate;
            }
            if (kept instanceof LockEntry lock) {
                // already counted as a lock
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

    /** Removes the gate again if the table was dropped meanwhile; the current check may still use it. */
    private SubjectGate kept(SubjectGate made) {
        if (dropped) {
            remove(made);
        }
        return made;
    }

    /** Returns the gate's limiter, created if needed; {@code null} when the gate was removed meanwhile. */
    private @Nullable Limiter<LimiterConfig> started(SubjectGate gate, Limit limit, long now, LongSupplier ticks) {
        synchronized (gate) {
            Limiter<LimiterConfig> known = settled(gate, limit);
            return known != null || gate.removed() ? known : shared.started(gate, limit, now, ticks);
        }
    }

    SharedLimiters shared() {
        return shared;
    }

    /** Returns whether the subject, which was charged to the shared limiter, has its own by now. */
    boolean promoted(RequestAttributes request, Limit limit) {
        SubjectEntry kept = find(request);
        if (!(kept instanceof SubjectGate gate) || !limit.inFlight()) {
            return kept != null && !limit.inFlight();
        }
        // under this monitor, a limiter is created only while the shared one is idle
        synchronized (gate) {
            return settled(gate, limit) != null;
        }
    }

    /**
     * Removes idle gates, and the limiters whose slot is no longer in use.
     *
     * @param slots the slots in use
     * @param monitor the lock registry's monitor: no lock may be added to a gate while it is removed
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

    /** Removes everything: only checks in progress still use the table. */
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
