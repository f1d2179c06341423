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
import io.sluice.contract.policy.OnDegraded;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Charges a request that no lock rejects to all limiters that it falls under, or to none. Thread-safe. */
final class LimitCharger {
    private final DecisionState decisions;
    private final LongSupplier ticks;

    LimitCharger(DecisionState decisions, LongSupplier ticks) {
        this.decisions = decisions;
        this.ticks = ticks;
    }

    /** @param home the home policy's entry, see {@link CompiledPolicies} */
    Verdict charge(
            CompiledPolicies rules,
            @Nullable SubjectEntry home,
            int arrivals,
            Freshness freshness,
            RequestAttributes request,
            long now) {
        return limits(rules, 0, home, arrivals, freshness, request, now);
    }

    /**
     * Charges the limiters of the policies from {@code from} on. Each call charges one policy, recurses for the rest, and refunds its own charge
     * when the rest rejects: the call stack is the list of charges to undo, which needs no allocation.
     */
    private Verdict limits(
            CompiledPolicies rules,
            int from,
            @Nullable SubjectEntry home,
            int arrivals,
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
        SubjectEntry kept = rules.entry(index, home, arrivals, freshness, request);
        LockEntry lock = policy.lockOn(kept, freshness, now);
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
                    return policy.countRejected(lock.reject(throttleRate, -left));
                }
                policy.counts().wouldReject.increment();
                throttle = null;
            }
        }
        Verdict verdict = limit(rules, index, kept, home, arrivals, freshness, request, now);
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
            @Nullable SubjectEntry home,
            int arrivals,
            Freshness freshness,
            RequestAttributes request,
            long now) {
        GatePolicy policy = rules.policies().get(index);
        Limit limit = policy.limitFor(request);
        if (limit == null || (freshness != Freshness.FRESH && limit.onDegraded() == OnDegraded.ALLOW)) {
            return limits(rules, index + 1, home, arrivals, freshness, request, now);
        }
        boolean reports = limit.shadow() || !rules.set().enforce();
        if (freshness != Freshness.FRESH && limit.onDegraded() == OnDegraded.DENY) {
            if (!reports) {
                return policy.countRejected(policy.deniedByLimit());
            }
            policy.counts().wouldReject.increment();
            return limits(rules, index + 1, home, arrivals, freshness, request, now);
        }
        GateTable table = policy.table();
        SubjectEntry kept = found;
        Limiter<LimiterConfig> limiter;
        long taken;
        do {
            limiter = table.limiter(kept == null ? table.find(request) : kept, request, limit, now, ticks);
            kept = null;
            if (limiter == null) {
                return limits(rules, index + 1, home, arrivals, freshness, request, now);
            }
            taken = table.shared().take(limiter, limit, now);
            if (taken >= 0 && table.shared().has(limiter, limit) && table.promoted(request, limit)) {
                limiter.refund(limit.terms(), 1, now, taken, ticks);
                taken = Limiter.REMOVED;
            }
        } while (taken == Limiter.REMOVED || taken == Limiter.UNSETTLED);
        if (taken < 0) {
            if (!reports) {
                return policy.countRejected(limit.reject(-taken));
            }
            policy.counts().wouldReject.increment();
        }
        Verdict rest = null;
        try {
            rest = limits(rules, index + 1, home, arrivals, freshness, request, now);
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
}
