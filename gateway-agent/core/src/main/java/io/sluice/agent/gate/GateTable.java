package io.sluice.agent.gate;

import io.sluice.agent.limit.Limiter;
import io.sluice.agent.limit.OneWord;
import io.sluice.agent.limit.Terms;
import io.sluice.agent.limit.TokenRate;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.Attribute;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The gates of one policy, by subject. Looking up takes no lock and allocates nothing (but for the text of an address
 * prefix); only where a limiter is started a monitor is held, for a moment and of one subject. Requests, the sweeper and the lock book may use it at once.
 *
 * <p>Exactness across forgetting and overflow rests on three rules. A new limiter starts as if it had been idle at the last
 * sweep, and only idle ones are swept. While the shared limiter is not idle, a new one starts empty, for its subject may have
 * used the shared one; where nothing but the end of requests gives permits back, the subject stays with the shared one
 * until that is idle. Who took from the shared limiter looks for the subject's own gate afterwards, and who made a gate looks at the
 * shared limiter afterwards: one of the two sees the other.
 */
final class GateTable {
    private static final String ONLY_SUBJECT = "";

    private final Map<Object, Kept> gates = new ConcurrentHashMap<>();
    private final Attribute[] per;
    private final Probes probes;
    private final GateCount count;
    private final Gate overflow = new Gate(0);
    private volatile long sweptAt;
    private final AtomicInteger held = new AtomicInteger();
    private volatile boolean dropped;

    GateTable(List<Attribute> per, GateCount count) {
        this.per = per.toArray(Attribute[]::new);
        this.probes = new Probes(this.per.length);
        this.count = count;
    }

    /** Whether its gates are found by these attributes. */
    boolean isPer(List<Attribute> attributes) {
        return List.of(per).equals(attributes);
    }

    /** Whether any gate holds a lock. */
    boolean holdsLocks() {
        return held.get() > 0;
    }

    /** What is kept for the request's subject, or {@code null}. */
    @Nullable
    Kept find(RequestAttributes request) {
        if (per.length < 2) {
            Object key = simpleKey(request);
            return key == null ? null : gates.get(key);
        }
        SubjectKey probe = probes.borrow();
        Kept kept = probe.fill(per, request) ? gates.get(probe) : null;
        probes.back(probe);
        return kept;
    }

    private @Nullable String simpleKey(RequestAttributes request) {
        return per.length == 0 ? ONLY_SUBJECT : per[0].valueOf(request);
    }

    /** A key to store, or {@code null} when the request lacks an attribute. */
    private @Nullable Object storedKey(RequestAttributes request) {
        if (per.length < 2) {
            return simpleKey(request);
        }
        SubjectKey key = new SubjectKey(per.length);
        return key.fill(per, request) ? key : null;
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
    Limiter<Terms> limiter(@Nullable Kept found, RequestAttributes request, Limit limit, long now, LongSupplier ticks) {
        Limiter<Terms> known = found instanceof Gate gate ? settled(gate, limit) : null;
        if (known != null) {
            return known;
        }
        Object key = storedKey(request);
        if (key == null) {
            return null;
        }
        while (true) {
            Gate made = gate(key);
            Limiter<Terms> own = made == null ? shared(limit, now) : started(made, limit, now, ticks);
            if (own != null) {
                return own;
            }
        }
    }

    private static @Nullable Limiter<Terms> settled(Gate gate, Limit limit) {
        Limiter<Terms> limiter = gate.limiter(limit);
        boolean usable = limiter != null && (limit.isGate() ? gate.idleFrom() >= 0 : !limiter.forgotten());
        return usable ? limiter : null;
    }

    /** The gate of a subject, made if there is room; else {@code null}. */
    private @Nullable Gate gate(Object key) {
        while (true) {
            Kept kept = gates.get(key);
            if (kept instanceof Gate gate && !gate.forgotten()) {
                return gate;
            }
            if (kept instanceof HeldLock lock) {
                // counted already, as a lock
                Gate made = new Gate();
                made.hold(lock, null);
                if (gates.replace(key, lock, made)) {
                    return made;
                }
            } else if (kept != null) {
                remove(key, kept);
            } else if (!count.reserve()) {
                return null;
            } else {
                Gate made = new Gate();
                if (gates.putIfAbsent(key, made) != null) {
                    count.free(1);
                } else if (dropped) {
                    remove(key, made);
                    return made;
                } else {
                    return made;
                }
            }
        }
    }

    /** The gate's limiter, started if need be; {@code null} when the gate was forgotten meanwhile. */
    private @Nullable Limiter<Terms> started(Gate gate, Limit limit, long now, LongSupplier ticks) {
        synchronized (gate) {
            Limiter<Terms> known = settled(gate, limit);
            if (known != null || gate.forgotten()) {
                return known;
            }
            Limiter<Terms> shared = overflow.limiter(limit);
            boolean spent = shared != null && !shared.isIdle(now);
            if (spent && limit.inFlight()) {
                // who is in flight through the shared limiter is not known: it may be this subject
                return shared;
            }
            // others may have been charged to the shared one with later times
            long since = Math.max(spent ? Math.max(now, ticks.getAsLong()) : lastShared(shared, now), sweptAt);
            if (limit.isGate()) {
                gate.settle((TokenRate) limit.terms(), spent, since);
            } else {
                gate.add(limit, limit.started(spent, since));
            }
            return gate.limiter(limit);
        }
    }

    /** Until when a shared limiter that is idle now may have counted; exactly, where that can be told. */
    private static long lastShared(@Nullable Limiter<Terms> shared, long now) {
        if (shared == null) {
            return 0;
        }
        return shared instanceof OneWord<?> word ? word.idleFrom() : now;
    }

    /** The limiter of those for whom there is no room. */
    private Limiter<Terms> shared(Limit limit, long now) {
        Limiter<Terms> known = overflow.limiter(limit);
        if (known == null) {
            synchronized (overflow) {
                known = overflow.limiter(limit);
                if (known == null) {
                    overflow.add(limit, limit.started(false, 0));
                    known = Objects.requireNonNull(overflow.limiter(limit));
                }
            }
        }
        if (limit.isGate()) {
            // the subject's own gate may just have been swept
            overflow.idleNotBefore((TokenRate) limit.terms(), sweptAt, now);
        }
        return known;
    }

    boolean isShared(Limiter<Terms> limiter, Limit limit) {
        return limiter == overflow.limiter(limit);
    }

    /** Takes a permit, as {@link Limiter#take}. */
    long take(Limiter<Terms> limiter, Limit limit, long now) {
        // the subject's own limiter may just have been swept, and a late thread might have found it in use
        boolean late = now < sweptAt && !limit.isGate() && isShared(limiter, limit);
        return late ? now - sweptAt : limiter.take(limit.terms(), now);
    }

    /** Whether the request's subject, which was charged to the shared limiter, has its own meanwhile. */
    boolean promoted(RequestAttributes request, Limit limit) {
        Kept kept = find(request);
        if (!(kept instanceof Gate gate) || !limit.inFlight()) {
            return kept != null && !limit.inFlight();
        }
        // a limiter is started only while the shared one is seen idle, under this monitor too
        synchronized (gate) {
            return settled(gate, limit) != null;
        }
    }

    private Object key(List<String> subject) {
        return switch (per.length) {
            case 0 -> ONLY_SUBJECT;
            case 1 -> subject.get(0);
            default -> SubjectKey.of(subject);
        };
    }

    private List<String> subject(Object key) {
        return key instanceof SubjectKey several
                ? several.subject()
                : per.length == 0 ? List.of() : List.of((String) key);
    }

    /** What is kept for a subject, or {@code null}. */
    @Nullable
    Kept kept(List<String> subject) {
        return gates.get(key(subject));
    }

    /** Puts locks on a subject. Under the lock book's monitor. */
    void hold(List<String> subject, @Nullable HeldLock analyzer, @Nullable HeldLock operator) {
        hold(key(subject), analyzer, operator);
    }

    private void hold(Object key, @Nullable HeldLock analyzer, @Nullable HeldLock operator) {
        boolean locks = analyzer != null || operator != null;
        while (true) {
            Kept kept = gates.get(key);
            if (kept instanceof Gate gate && !gate.forgotten()) {
                int change = (locks ? 1 : 0) - (gate.held() ? 1 : 0);
                gate.hold(analyzer, operator);
                held.addAndGet(change);
                return;
            }
            if (kept instanceof Gate) {
                remove(key, kept);
            } else if (kept == null) {
                if (!locks) {
                    return;
                }
                if (gates.putIfAbsent(key, holding(analyzer, operator)) == null) {
                    count.force();
                    held.incrementAndGet();
                    return;
                }
            } else if (locks && gates.replace(key, kept, holding(analyzer, operator))) {
                return;
            } else if (!locks && gates.remove(key, kept)) {
                count.free(1);
                held.decrementAndGet();
                return;
            }
        }
    }

    private static Kept holding(@Nullable HeldLock analyzer, @Nullable HeldLock operator) {
        if (analyzer != null && operator == null && !analyzer.throttles()) {
            return analyzer;
        }
        Gate gate = new Gate();
        gate.hold(analyzer, operator);
        return gate;
    }

    /** Tells of everything that holds a lock or a release. */
    void forEachHeld(BiConsumer<List<String>, Kept> told) {
        gates.forEach((key, kept) -> {
            if (kept.analyzer() != null || kept.operator() != null) {
                told.accept(subject(key), kept);
            }
        });
    }

    /** How many subjects are locked, releases not counted. */
    int locks(long now) {
        int locks = 0;
        for (Kept kept : gates.values()) {
            locks += closes(kept.analyzer(), now) || closes(kept.operator(), now) ? 1 : 0;
        }
        return locks;
    }

    private static boolean closes(@Nullable HeldLock lock, long now) {
        return lock != null && lock.mode() != Mode.OPEN && !lock.over(now);
    }

    /** Lets go of locks that are over. Under the lock book's monitor. */
    void expire(long now) {
        gates.forEach((key, kept) -> {
            HeldLock analyzer = kept.analyzer();
            HeldLock operator = kept.operator();
            boolean analyzerOver = analyzer != null && analyzer.over(now);
            boolean operatorOver = operator != null && operator.over(now);
            if (analyzerOver || operatorOver) {
                hold(key, analyzerOver ? null : analyzer, operatorOver ? null : operator);
            }
        });
    }

    /**
     * Forgets the gates that can't be told from new ones.
     *
     * @param monitor the lock book's: no lock may be put on a gate while it is being forgotten
     */
    void sweep(long now, Object monitor) {
        sweptAt = Math.max(sweptAt, now);
        gates.forEach((key, kept) -> {
            if (kept instanceof Gate gate && !gate.held() && gate.idle(now)) {
                synchronized (monitor) {
                    if (!gate.held() && gate.forgetAllIfIdle(now)) {
                        remove(key, gate);
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

    private void remove(Object key, Kept kept) {
        if (gates.remove(key, kept)) {
            count.free(1);
        }
    }
}
