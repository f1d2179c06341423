package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.ConcurrencyLimiter;
import io.sluice.agent.internal.limit.ConcurrencyPermit;
import io.sluice.agent.internal.limit.ConcurrencyRange;
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

    /**
     * Charges all limits, or those that a pass selects; the pass can undo its charges.
     *
     * @param home the home policy's entry, see {@link CompiledPolicies}
     * @param cost what limits of cost are charged, at least 1; all others are charged one
     * @param pass of a request under limits of central stores; else {@code null}
     * @return the verdict of the limits; after a rejection nothing of this call is charged
     */
    Verdict charge(
            CompiledPolicies rules,
            @Nullable SubjectEntry home,
            int arrivals,
            Freshness freshness,
            RequestAttributes request,
            long cost,
            long now,
            @Nullable ChargePass pass) {
        return limits(rules, 0, home, arrivals, freshness, request, cost, now, pass);
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
            long cost,
            long now,
            @Nullable ChargePass pass) {
        List<GatePolicy> policies = rules.policies();
        int index = from;
        while (index < policies.size() && !policies.get(index).mayCharge()) {
            index++;
        }
        if (index == policies.size()) {
            return pass == null ? Verdict.Allowed.FREELY : pass.base();
        }
        GatePolicy policy = policies.get(index);
        TokenBucket throttle = null;
        long left = 0;
        TokenRate throttleRate = null;
        SubjectEntry kept = rules.entry(index, home, arrivals, freshness, request);
        LockEntry lock = policy.lockOn(kept, freshness, request, now);
        if (pass != null && pass.sharesOnly()) {
            // throttles were charged in the first pass
            lock = null;
        }
        if (lock != null && lock.throttles() && lock.closes(request)) {
            SubjectGate gate = policy.table().gate(kept, request);
            kept = gate;
            throttle = gate == null ? null : gate.throttle();
        }
        if (lock != null && throttle != null) {
            throttleRate = lock.rate(decisions.liveAgents());
            left = throttle.take(throttleRate, now);
            if (left < 0) {
                if (!lock.shadow() && rules.set().enforce()) {
                    return policy.countRejected(lock.reject(throttleRate, -left));
                }
                policy.counts().wouldReject.increment();
                throttle = null;
            }
        }
        Verdict verdict = limit(rules, index, kept, home, arrivals, freshness, request, cost, now, pass);
        if (throttle != null && throttleRate != null) {
            if (!verdict.allowed()) {
                throttle.refund(throttleRate, 1, now, left, ticks);
            } else if (pass != null) {
                TokenBucket bucket = throttle;
                TokenRate rate = throttleRate;
                long taken = left;
                pass.charged(() -> bucket.refund(rate, 1, now, taken, ticks));
            }
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
            long cost,
            long now,
            @Nullable ChargePass pass) {
        GatePolicy policy = rules.policies().get(index);
        Limit limit = policy.limitFor(request, decisions.liveAgents());
        boolean skipped = limit == null || (pass != null && pass.skips(index, limit));
        // of a store that does not answer, whatever the state of the agent's locks
        boolean degraded = freshness != Freshness.FRESH || (limit != null && limit.central() != null);
        if (limit == null || skipped || (degraded && limit.onDegraded() == OnDegraded.ALLOW)) {
            return limits(rules, index + 1, home, arrivals, freshness, request, cost, now, pass);
        }
        boolean reports = limit.shadow() || !rules.set().enforce();
        if (degraded && limit.onDegraded() == OnDegraded.DENY) {
            if (!policy.table().hasSubject(request)) {
                // as while fresh: the limit does not concern it
                return limits(rules, index + 1, home, arrivals, freshness, request, cost, now, pass);
            }
            if (!reports) {
                return policy.countRejected(limit.central() == null ? policy.deniedByLimit() : limit.rejectDegraded());
            }
            policy.counts().wouldReject.increment();
            return limits(rules, index + 1, home, arrivals, freshness, request, cost, now, pass);
        }
        long permits = limit.ofCost() ? cost : 1;
        GateTable table = policy.table();
        SubjectEntry kept = found;
        Limiter<LimiterConfig> limiter;
        long taken;
        do {
            limiter = table.limiter(kept == null ? table.find(request) : kept, request, limit, now, ticks);
            kept = null;
            if (limiter == null) {
                return limits(rules, index + 1, home, arrivals, freshness, request, cost, now, pass);
            }
            taken = table.shared().take(limiter, limit, permits, now);
            if (taken >= 0 && table.shared().has(limiter, limit) && table.promoted(request, limit)) {
                limiter.refund(limit.terms(), permits, now, taken, ticks);
                taken = Limiter.REMOVED;
            }
        } while (taken == Limiter.REMOVED || taken == Limiter.UNSETTLED);
        if (taken < 0) {
            if (!reports) {
                return policy.countRejected(
                        taken == Limiter.NEVER && permits > 1 ? limit.rejectExcess(permits) : limit.reject(-taken));
            }
            policy.counts().wouldReject.increment();
        }
        Verdict rest = null;
        try {
            rest = limits(rules, index + 1, home, arrivals, freshness, request, cost, now, pass);
        } finally {
            // also after an exception: a permit without a verdict could never be returned
            if (taken >= 0 && !(rest instanceof Verdict.Allowed)) {
                limiter.refund(limit.terms(), permits, now, taken, ticks);
            }
        }
        if (!(rest instanceof Verdict.Allowed allowed)) {
            return rest;
        }
        if (pass != null) {
            Limiter<LimiterConfig> from = limiter;
            long result = taken;
            if (result >= 0) {
                pass.charged(() -> from.refund(limit.terms(), permits, now, result, ticks));
            }
            pass.decidedByShare(index, limit, result >= 0);
        }
        Permit permit = allowed.permit();
        if (taken >= 0 && (Limiter<?>) limiter instanceof ConcurrencyLimiter from) {
            permit = new ConcurrencyPermit(from, (ConcurrencyRange) limit.terms(), permits, now, ticks, permit);
        } else if (limit.ofCost()) {
            permit =
                    new Reservation(table, request, limit, limiter, taken < 0 ? 0 : permits, now, taken, ticks, permit);
        }
        return joined(limit, limiter, taken, now, reports, allowed, permit);
    }

    /** Combines two verdicts: the tighter quota, the longer delay. */
    private static Verdict.Allowed joined(
            Limit limit,
            Limiter<LimiterConfig> limiter,
            long taken,
            long now,
            boolean reports,
            Verdict.Allowed rest,
            @Nullable Permit permit) {
        Verdict.Allowed tighter = rest;
        if (!reports) {
            long remaining = limit.remaining(taken);
            Quota quota = rest.quota();
            if (quota == null || !limit.isLooser(remaining, quota)) {
                long next = remaining > 0 ? 0 : limiter.nextPermit(limit.terms(), now);
                tighter = next > 0 ? limit.last(next) : limit.allow(remaining, now);
            }
        }
        long delay = reports ? rest.delayNanos() : Math.max(rest.delayNanos(), limit.delay(taken));
        return tighter.delayNanos() == delay && tighter.permit() == permit
                ? tighter
                : new Verdict.Allowed(tighter.quota(), delay, permit);
    }

    /**
     * Charges a cost that has been used already to all limits of cost that the request falls under, also beyond them.
     *
     * @param cost at least 1
     */
    void chargeUsed(
            CompiledPolicies rules,
            Freshness freshness,
            RequestAttributes request,
            long cost,
            long now,
            CentralCharger central) {
        for (GatePolicy policy : rules.policies()) {
            Limit limit = policy.limitFor(request, decisions.liveAgents());
            if (limit != null && limit.ofCost() && limit.central() != null) {
                central.chargeUsed(policy, limit, request, rules, cost);
            } else if (limit != null
                    && limit.ofCost()
                    && (freshness == Freshness.FRESH || limit.onDegraded() == OnDegraded.LOCAL)) {
                policy.table().charge(request, limit, cost, now, ticks);
            }
        }
    }
}
