package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.quota.StrategyClients;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.LockRule;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides checks from memory: first the kill switch, then exemptions, then all locks, then the limiters in the order of the policies. Waits for
 * nothing and reads no clock, time being a parameter, except for limits of central stores, which are asked last. Thread-safe.
 *
 * <p>The check of a token bucket allocates nothing, except the gate of a subject that it meets for the first time, the verdict of a limit with a
 * burst over 1,000 or of a rejecting throttle, one rejection per limit and millisecond to wait, and the text of an address prefix. {@code
 * docs/limiters.md} lists what the other algorithms allocate.
 */
public final class Gatekeeper {
    private final DecisionState decisions;
    private final LimitCharger charger;
    private final CentralCharger central;

    /** @param ticks the clock of {@code now}; read only when a charge is refunded, a permit ends, or a subject gets a gate of its own */
    public Gatekeeper(DecisionState decisions, LongSupplier ticks) {
        this(decisions, ticks, new StrategyClients(List.of(), ticks, 1));
    }

    /** @param clients the central stores that policies may name */
    public Gatekeeper(DecisionState decisions, LongSupplier ticks, StrategyClients clients) {
        this.decisions = decisions;
        this.charger = new LimitCharger(decisions, ticks);
        this.central = new CentralCharger(decisions, charger, clients, ticks);
    }

    /** Returns the verdict on a request at the monotonic time {@code now}. */
    public Verdict check(RequestAttributes request, long now) {
        return check(request, null, 1, now);
    }

    /**
     * Returns the verdict on a request.
     *
     * @param former the same request under the pseudonyms of the key before, whose locks still hold, except throttles; {@code null} for none
     * @param cost what limits of cost are charged, at least 1; all others are charged one
     */
    public Verdict check(RequestAttributes request, @Nullable RequestAttributes former, long cost, long now) {
        // before the policies and the locks, see LockRegistry
        int arrivals = decisions.arrivals();
        CompiledPolicies rules = decisions.rules();
        if (decisions.killed() || rules.set().allows(request, decisions.wallTime(now))) {
            return Verdict.Allowed.FREELY;
        }
        if (cost > 1 && !rules.limitsCost()) {
            decisions.costIgnored();
        }
        if (rules.policies().isEmpty()) {
            return Verdict.Allowed.FREELY;
        }
        Freshness freshness = decisions.freshness();
        SubjectEntry home = rules.homeEntry(freshness, request);
        Verdict.Rejected locked = locks(rules, home, arrivals, freshness, request, now);
        if (locked == null && former != null) {
            locked = locks(rules, rules.homeEntry(freshness, former), arrivals, freshness, former, now);
        }
        if (locked != null) {
            return locked;
        }
        return rules.central()
                ? central.check(rules, home, arrivals, freshness, request, cost, now)
                : charger.charge(rules, home, arrivals, freshness, request, cost, now, null);
    }

    /** As {@link #check(RequestAttributes, RequestAttributes, long, long)}, without waiting for central stores: the stage is completed when they answered. */
    public CompletionStage<Verdict> checkAsync(
            RequestAttributes request, @Nullable RequestAttributes former, long cost, long now) {
        int arrivals = decisions.arrivals();
        CompiledPolicies rules = decisions.rules();
        if (!rules.central()) {
            return CompletableFuture.completedFuture(check(request, former, cost, now));
        }
        if (decisions.killed() || rules.set().allows(request, decisions.wallTime(now))) {
            return CompletableFuture.completedFuture(Verdict.Allowed.FREELY);
        }
        if (cost > 1 && !rules.limitsCost()) {
            decisions.costIgnored();
        }
        Freshness freshness = decisions.freshness();
        SubjectEntry home = rules.homeEntry(freshness, request);
        Verdict.Rejected locked = locks(rules, home, arrivals, freshness, request, now);
        if (locked == null && former != null) {
            locked = locks(rules, rules.homeEntry(freshness, former), arrivals, freshness, former, now);
        }
        return locked != null
                ? CompletableFuture.completedFuture(locked)
                : central.checkAsync(rules, home, arrivals, freshness, request, cost, now);
    }

    /**
     * Charges a cost that has been used already, also beyond the limits; nothing while the kill switch is off, nor for exempted requests.
     *
     * @param cost at least 1
     */
    public void charge(RequestAttributes request, long cost, long now) {
        CompiledPolicies rules = decisions.rules();
        if (!rules.limitsCost()) {
            decisions.costIgnored();
        }
        if (!decisions.killed() && !rules.set().allows(request, decisions.wallTime(now))) {
            charger.chargeUsed(rules, decisions.freshness(), request, cost, now, central);
        }
    }

    /** Returns the rejection of the strictest lock that applies to the request, if any. */
    private Verdict.@Nullable Rejected locks(
            CompiledPolicies rules,
            @Nullable SubjectEntry home,
            int arrivals,
            Freshness freshness,
            RequestAttributes request,
            long now) {
        List<GatePolicy> policies = rules.policies();
        boolean enforce = rules.set().enforce();
        LockEntry strictest = null;
        GatePolicy by = null;
        boolean elsewhere = false;
        for (int i = 0; i < policies.size(); i++) {
            GatePolicy policy = policies.get(i);
            SubjectEntry gate = rules.entry(i, home, arrivals, freshness, request);
            elsewhere |= gate != null && rules.sharesHome(i) && gate.held();
            LockEntry lock = policy.lockOn(gate, freshness, request, now);
            if (lock == null) {
                LockRule denying = freshness == Freshness.FRESH ? null : policy.denyingRule(request);
                if (denying != null) {
                    if (enforce && !GatePolicy.onlyReports(denying)) {
                        return policy.countRejected(policy.deniedByLock());
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
        if (!elsewhere && home instanceof SubjectGate gate && !gate.unlockedAsOf(arrivals)) {
            gate.setUnlockedAsOf(arrivals);
        }
        return strictest == null || by == null ? null : by.countRejected(strictest.reject(now));
    }

    /** Returns whether a lock rejects this request here. A throttle is a limiter and is applied with the limiters. */
    private static boolean rejects(LockEntry lock) {
        return switch (lock.mode()) {
            case BLOCK, SHADOW -> true;
            case SHED -> ThreadLocalRandom.current().nextDouble() < lock.ratio();
            case THROTTLE, OPEN, UNKNOWN -> false;
        };
    }
}
