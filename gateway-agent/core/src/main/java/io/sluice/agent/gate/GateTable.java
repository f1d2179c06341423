package io.sluice.agent.gate;

import io.sluice.agent.limit.TokenBucket;
import io.sluice.agent.limit.TokenRate;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.policy.Attribute;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The gates of one policy, by subject. Looking up takes no lock and allocates nothing (but for the text of an address
 * prefix). Requests, the sweeper and the lock book may use it at once.
 *
 * <p>Exactness across forgetting and overflow rests on three rules. A new bucket is as full as if it had been full at
 * the last sweep, and only full ones are swept. While the shared overflow bucket is not full, a new bucket starts empty,
 * for its subject may have used the shared one. Who took from the shared bucket looks for the subject's own gate
 * afterwards, and who made a gate looks at the shared bucket afterwards: one of the two sees the other.
 */
final class GateTable {
    private static final String ONLY_SUBJECT = "";

    private final Map<Object, Gate> gates = new ConcurrentHashMap<>();
    private final Attribute[] per;
    private final Probes probes;
    private final GateCount count;
    private final TokenBucket overflow = new TokenBucket(0);
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

    /** The gate of the request's subject, or {@code null} when there is none. */
    @Nullable
    Gate find(RequestAttributes request) {
        if (per.length < 2) {
            Object key = simpleKey(request);
            return key == null ? null : gates.get(key);
        }
        SubjectKey probe = probes.borrow();
        Gate gate = probe.fill(per, request) ? gates.get(probe) : null;
        probes.back(probe);
        return gate;
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
     * The bucket that the request's subject is to be charged to, its own or the shared one.
     *
     * @return {@code null} when the request lacks an attribute and so has no subject
     */
    @Nullable
    TokenBucket bucket(RequestAttributes request, TokenRate rate, long now) {
        Gate gate = find(request);
        if (gate != null && gate.idleFrom() >= 0) {
            return gate;
        }
        Object key = storedKey(request);
        if (key == null) {
            return null;
        }
        while (gate == null || gate.forgotten()) {
            if (gate != null) {
                remove(key, gate);
            }
            gate = gates.get(key);
            if (gate == null) {
                if (!count.reserve()) {
                    // the subject's own gate may just have been swept
                    overflow.idleNotBefore(rate, sweptAt, now);
                    return overflow;
                }
                gate = new Gate();
                Gate other = gates.putIfAbsent(key, gate);
                if (other != null) {
                    count.free(1);
                    gate = other;
                } else if (dropped) {
                    remove(key, gate);
                }
            }
        }
        if (gate.unsettled()) {
            settle(gate, rate, now);
        }
        return gate;
    }

    private void settle(Gate gate, TokenRate rate, long now) {
        long shared = overflow.idleFrom();
        boolean spent = shared > now;
        gate.settle(rate, spent, Math.max(spent ? now : shared, sweptAt));
    }

    boolean isOverflow(TokenBucket bucket) {
        return bucket == overflow;
    }

    /** Puts locks on a subject's gate. Under the lock book's monitor. */
    void hold(List<String> subject, @Nullable HeldLock analyzer, @Nullable HeldLock operator) {
        Object key = switch (per.length) {
            case 0 -> ONLY_SUBJECT;
            case 1 -> subject.get(0);
            default -> SubjectKey.of(subject);
        };
        boolean locks = analyzer != null || operator != null;
        Gate gate = gates.get(key);
        while (gate == null || gate.forgotten()) {
            if (!locks) {
                return;
            }
            if (gate != null) {
                remove(key, gate);
            }
            Gate fresh = new Gate();
            gate = gates.putIfAbsent(key, fresh);
            if (gate == null) {
                count.force();
                gate = fresh;
            }
        }
        int change = (locks ? 1 : 0) - (gate.held() ? 1 : 0);
        gate.hold(analyzer, operator);
        held.addAndGet(change);
    }

    /**
     * Forgets the gates that can't be told from new ones.
     *
     * @param monitor the lock book's: no lock may be put on a gate while it is being forgotten
     */
    void sweep(long now, Object monitor) {
        sweptAt = Math.max(sweptAt, now);
        gates.forEach((key, gate) -> {
            if (!gate.held() && gate.idleFrom() <= now) {
                synchronized (monitor) {
                    if (!gate.held() && gate.forgetIfIdle(now)) {
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

    private void remove(Object key, Gate gate) {
        if (gates.remove(key, gate)) {
            count.free(1);
        }
    }
}
