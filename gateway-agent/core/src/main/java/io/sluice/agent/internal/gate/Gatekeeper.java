package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.agent.internal.limit.TokenBucket;
import io.sluice.agent.internal.limit.TokenRate;
import io.sluice.agent.verdict.Permit;
import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.OnDegraded;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides checks from memory: first the kill switch, then exemptions, then all locks, then the limiters in the order of the policies. Waits for
 * nothing and reads no clock: time is a parameter. Thread-safe.
 *
 * <p>The check of a token bucket allocates nothing, except the gate of a subject that it meets for the first time, the verdict of a limit with a
 * burst over 1,000 or of a rejecting throttle, one rejection per limit and millisecond to wait, and the text of an address prefix. {@code
 * docs/limiters.md} lists what the other algorithms allocate.
 */
public final class Gatekeeper {
    private final DecisionState decisions;
    private final LongSupplier ticks;

    /** @param ticks the clock of {@code now}; read only when a charge is refunded, a permit ends, or a subject gets a gate of its own */
    public Gatekeeper(DecisionState decisions, LongSupplier ticks) {
        this.decisions = decisions;
        this.ticks = ticks;
    }

    /** Returns the verdict on a request at the monotonic time {@code now}. */
    public Verdict check(RequestAttributes request, long now) {
        return check(request, null, now);
    }

    /**
     * Returns the verdict on a request.
     *
     * @param former the same request under the pseudonyms of the key before, whose locks still hold, except throttles; {@code null} for none
     */
    public Verdict check(RequestAttributes request, @Nullable RequestAttributes former, long now) {
        CompiledPolicies rules = decisions.rules();
        if (decisions.killed() || rules.set().allows(request, decisions.wallTime(now))) {
            return Verdict.Allowed.FREELY;
        }
        if (rules.policies().isEmpty()) {
            return Verdict.Allowed.FREELY;
        }
        Freshness freshness = decisions.freshness();
        SubjectEntry first = gateOf(rules.policies().get(0), freshness, request);
        Verdict.Rejected locked = locks(rules, first, freshness, request, now);
        if (locked == null && former != null) {
            locked = locks(rules, gateOf(rules.policies().get(0), freshness, former), freshness, former, now);
        }
        return locked != null ? locked : limits(rules, 0, first, freshness, request, now);
    }

    /**
     * Returns the rejection of the strictest lock that applies to the request, if any.
     *
     * @param first the first policy's entry: most agents have one or two policies, and a look-up is most of the cost of a check
     */
    private Verdict.@Nullable Rejected locks(
            CompiledPolicies rules,
            @Nullable SubjectEntry first,
            Freshness freshness,
            RequestAttributes request,
            long now) {
        List<GatePolicy> policies = rules.policies();
        boolean enforce = rules.set().enforce();
        LockEntry strictest = null;
        GatePolicy by = null;
        for (int i = 0; i < policies.size(); i++) {
            GatePolicy policy = policies.get(i);
            SubjectEntry gate = i == 0 ? first : gateOf(policy, freshness, request);
            LockEntry lock = lockOn(gate, policy, freshness, now);
            if (lock == null) {
                if (freshness != Freshness.FRESH && policy.deniesLocked(request)) {
                    if (enforce && !policy.lockShadow()) {
                        return rejected(policy, policy.deniedByLock());
                    }
                    policy.counts().wouldReject.increment();
                }
                continue;
            }
            if (!rejects(lock) || !lock.closes(request)) {
                continue;
            }
            if (lock.shadow() || !enforce || lock.mode() == Mode.SHADOW) {
                policy.counts().wouldReject.increment();
            } else if (strictest == null || lock.stricterThan(strictest)) {
                strictest = lock;
                by = policy;
            }
        }
        return strictest == null || by == null ? null : rejected(by, strictest.reject(now));
    }

    /** Returns whether a lock rejects this request here. A throttle is a limiter and is applied with the limiters. */
    private static boolean rejects(LockEntry lock) {
        return switch (lock.mode()) {
            case BLOCK, SHADOW -> true;
            case SHED -> ThreadLocalRandom.current().nextDouble() < lock.ratio();
            case THROTTLE, OPEN, UNKNOWN -> false;
        };
    }

    /** Returns the subject's entry if it can hold a lock. */
    private static @Nullable SubjectEntry gateOf(GatePolicy policy, Freshness freshness, RequestAttributes request) {
        // before broker time is known, the age of a lock is unknown
        boolean askedFor = freshness != Freshness.COLD && policy.table().locks().any();
        return askedFor ? policy.table().find(request) : null;
    }

    /** Returns the lock or release of an entry, as far as it can be trusted. */
    private static @Nullable LockEntry lockOn(
            @Nullable SubjectEntry gate, GatePolicy policy, Freshness freshness, long now) {
        boolean operatorOnly = freshness == Freshness.STALE && policy.lockOnDegraded() != OnDegraded.LOCAL;
        return gate == null ? null : gate.lock(now, operatorOnly);
    }

    /**
     * Charges the limiters of the policies from {@code from} on. Each call charges one policy, recurses for the rest, and refunds its own charge
     * when the rest rejects: the call stack is the list of charges to undo, which needs no allocation.
     */
    private Verdict limits(
            CompiledPolicies rules,
            int from,
            @Nullable SubjectEntry first,
            Freshness freshness,
            RequestAttributes request,
            long now) {
        List<GatePolicy> policies = rules.policies();
        int index = from;
        while (index < policies.size() && !policies.get(index).mayCharge()) {
            index++;
        }
        if (index == policies.size()) {
            return Verdict.Allowed.FREELY;
        }
        GatePolicy policy = policies.get(index);
        TokenBucket throttle = null;
        TokenRate throttleRate = null;
        SubjectEntry kept = index == 0 ? first : gateOf(policy, freshness, request);
        LockEntry lock = lockOn(kept, policy, freshness, now);
        if (lock != null && lock.throttles() && lock.closes(request)) {
            SubjectGate gate = policy.table().gate(kept, request);
            kept = gate;
            throttle = gate == null ? null : gate.throttle();
        }
        if (lock != null && throttle != null) {
            throttleRate = lock.rate(decisions.liveAgents());
            long left = throttle.take(throttleRate, now);
            if (left < 0) {
                if (!lock.shadow() && rules.set().enforce()) {
                    return rejected(policy, lock.reject(throttleRate, -left));
                }
                policy.counts().wouldReject.increment();
                throttle = null;
            }
        }
        Verdict verdict = limit(rules, index, kept, freshness, request, now);
        if (!verdict.allowed() && throttle != null && throttleRate != null) {
            throttle.refund(throttleRate, 1, now, 0, ticks);
        }
        return verdict;
    }

    /** @param found the policy's entry for this request, if it has been looked up */
    private Verdict limit(
            CompiledPolicies rules,
            int index,
            @Nullable SubjectEntry found,
            Freshness freshness,
            RequestAttributes request,
            long now) {
        GatePolicy policy = rules.policies().get(index);
        Limit limit = policy.limitFor(request);
        if (limit == null || (freshness != Freshness.FRESH && limit.onDegraded() == OnDegraded.ALLOW)) {
            return limits(rules, index + 1, null, freshness, request, now);
        }
        boolean reports = limit.shadow() || !rules.set().enforce();
        if (freshness != Freshness.FRESH && limit.onDegraded() == OnDegraded.DENY) {
            if (!reports) {
                return rejected(policy, policy.deniedByLimit());
            }
            policy.counts().wouldReject.increment();
            return limits(rules, index + 1, null, freshness, request, now);
        }
        GateTable table = policy.table();
        SubjectEntry kept = found;
        Limiter<LimiterConfig> limiter;
        long taken;
        do {
            limiter = table.limiter(kept == null ? table.find(request) : kept, request, limit, now, ticks);
            kept = null;
            if (limiter == null) {
                return limits(rules, index + 1, null, freshness, request, now);
            }
            taken = table.shared().take(limiter, limit, now);
            if (taken >= 0 && table.shared().has(limiter, limit) && table.promoted(request, limit)) {
                limiter.refund(limit.terms(), 1, now, taken, ticks);
                taken = Limiter.REMOVED;
            }
        } while (taken == Limiter.REMOVED || taken == Limiter.UNSETTLED);
        if (taken < 0) {
            if (!reports) {
                return rejected(policy, limit.reject(-taken));
            }
            policy.counts().wouldReject.increment();
        }
        Verdict rest = null;
        try {
            rest = limits(rules, index + 1, null, freshness, request, now);
        } finally {
            // also after an exception: a permit without a verdict could never be returned
            if (taken >= 0 && !(rest instanceof Verdict.Allowed)) {
                limiter.refund(limit.terms(), 1, now, taken, ticks);
            }
        }
        return rest instanceof Verdict.Allowed allowed ? joined(limit, limiter, taken, reports, allowed, now) : rest;
    }

    /** Combines two verdicts: the quota with less left, the longer delay, both permits. */
    private Verdict.Allowed joined(
            Limit limit, Limiter<LimiterConfig> limiter, long taken, boolean reports, Verdict.Allowed rest, long now) {
        Verdict.Allowed tighter = rest;
        if (!reports) {
            long remaining = limit.remaining(taken);
            Quota quota = rest.quota();
            tighter = quota != null && quota.remaining() <= remaining ? rest : limit.allow(remaining);
        }
        long delay = reports ? rest.delayNanos() : Math.max(rest.delayNanos(), limit.delay(taken));
        Permit permit = limit.permit(limiter, taken, now, ticks, rest.permit());
        return tighter.delayNanos() == delay && tighter.permit() == permit
                ? tighter
                : new Verdict.Allowed(tighter.quota(), delay, permit);
    }

    private static Verdict.Rejected rejected(GatePolicy policy, Verdict.Rejected verdict) {
        (verdict.reason() == Verdict.Reason.LIMITED ? policy.counts().limited : policy.counts().locked).increment();
        return verdict;
    }
}
