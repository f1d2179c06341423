package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.agent.internal.limit.TokenRate;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.contract.policy.OnDegraded;
import org.jspecify.annotations.Nullable;

/**
 * A compiled local limit. Verdicts of small limits are cached per number of permits left, those of last permits and rejections per time to wait, so that a check
 * allocates nothing. Verdicts of larger limits take two small objects; verdicts with a delay or a permit are created per request.
 */
final class Limit {
    private static final int CACHED = 1024;
    private static final double SECOND = 1e9;
    private static final long MILLI = 1_000_000;
    private static final long DEGRADED_RETRY_MILLIS = 5000;
    // a limit of 0 advises to retry after a day
    private static final long LONGEST_ADVICE = 86_400_000_000_000L;

    private final String policy;
    private final LimitRule rule;
    private final LimitTerms terms;
    private final int agents;
    private final int slot;
    private final boolean ofCost;
    private final @Nullable QuotaLimit central;
    private final Verdict.@Nullable Allowed[] cached;
    private volatile Verdict.@Nullable Rejected @Nullable [] rejections;
    private volatile Verdict.@Nullable Allowed @Nullable [] lasts;
    private volatile @Nullable Limit share;

    /** @param agents the shares of the limit; 0 for the whole limit of a central store */
    private Limit(String policy, LimitRule rule, int agents, int slot, boolean ofCost, @Nullable QuotaLimit central) {
        this.policy = policy;
        this.rule = rule;
        this.central = central;
        this.terms = LimitTerms.of(rule, Math.max(1, agents));
        this.agents = agents;
        this.slot = slot;
        this.ofCost = ofCost;
        long most = terms.terms().maxPermits();
        this.cached = new Verdict.Allowed[most <= CACHED ? (int) most + 1 : 0];
    }

    /**
     * Compiles a rule.
     *
     * @param slot the slot of its limiters, see {@link LimiterSlots}
     * @param ofCost whether a request is charged its cost, instead of one
     */
    static Limit of(String policy, LimitRule rule, int slot, boolean ofCost) {
        return new Limit(policy, rule, 1, slot, ofCost, null);
    }

    /**
     * Compiles a rule with a strategy: the limit itself is that of the store, and {@link #at} a share.
     *
     * @param quotaSlot see {@link QuotaLimit#slot}
     */
    static Limit central(String policy, LimitRule rule, int slot, boolean ofCost, String quotaSlot) {
        long burst = rule.algorithm() == Algorithm.TOKEN_BUCKET ? rule.burst() : (long) rule.permits();
        QuotaLimit quota = new QuotaLimit(
                policy, quotaSlot, rule.algorithm(), rule.permits(), rule.perMillis(), Math.max(1, burst));
        return new Limit(policy, rule, 0, slot, ofCost, quota);
    }

    /** Returns the limit as the store of its strategy applies it; {@code null} for a limit of agents. */
    @Nullable
    QuotaLimit central() {
        return central;
    }

    /** Returns the name of the central store, or {@code null}. */
    @Nullable
    String strategy() {
        return rule.strategy();
    }

    int agents() {
        return agents;
    }

    /**
     * Returns the limit as one of so many agents applies it: with an equal share of a limit of the fleet. Limiters in use continue under the share.
     */
    Limit at(int liveAgents) {
        if (rule.scope() == LimitRule.Scope.AGENT || liveAgents == agents) {
            return this;
        }
        Limit current = share;
        if (current == null || current.agents != liveAgents) {
            current = new Limit(policy, rule, liveAgents, slot, ofCost, central);
            share = current;
        }
        return current;
    }

    LimiterConfig terms() {
        return terms.terms();
    }

    Algorithm algorithm() {
        return terms.algorithm();
    }

    boolean shadow() {
        return rule.shadow();
    }

    OnDegraded onDegraded() {
        return rule.onDegraded();
    }

    /** Returns whether a request is charged its cost, instead of one. */
    boolean ofCost() {
        return ofCost;
    }

    /** Returns the slot of its limiters, see {@link LimiterSlots}. */
    int slot() {
        return slot;
    }

    /** Returns whether a gate can itself be the limiter. A shadow limit has its own, so that it takes nothing from enforced ones. */
    boolean fitsGate() {
        return algorithm() == Algorithm.TOKEN_BUCKET && !shadow() && !warmsUp();
    }

    /** Returns whether its limiters warm up: they are of another class than other token buckets. */
    boolean warmsUp() {
        return terms.warmsUp();
    }

    boolean inFlight() {
        return terms.inFlight();
    }

    Limiter<?> started(boolean spent, long since) {
        return terms.started(spent, since);
    }

    long delay(long taken) {
        return terms.delay(taken);
    }

    long remaining(long taken) {
        return terms.remaining(taken);
    }

    /** Returns whether it has at least as much left as another: in permits, or as a part of the limit where the units differ. */
    boolean isLooser(long remaining, Quota other) {
        return unit() == other.unit()
                ? other.remaining() <= remaining
                : (double) other.remaining() / other.limit() <= (double) remaining / terms().maxPermits();
    }

    private Quota.Unit unit() {
        if (inFlight()) {
            return Quota.Unit.CONCURRENT_REQUESTS;
        }
        return ofCost ? Quota.Unit.COST : Quota.Unit.REQUESTS;
    }

    Verdict.Allowed allow(long remaining) {
        if (remaining >= cached.length) {
            return allowed(remaining);
        }
        Verdict.Allowed verdict = cached[(int) remaining];
        if (verdict == null) {
            verdict = allowed(remaining);
            // racing threads write equal verdicts, and records may be published without a barrier
            cached[(int) remaining] = verdict;
        }
        return verdict;
    }

    /** Returns the verdict of a request that an agent admits at this time; mostly a cached one. */
    Verdict.Allowed allow(long remaining, long now) {
        if (!terms.inFixedWindows()) {
            return allow(remaining);
        }
        double rest = (double) terms.restOfWindow(now);
        boolean small = remaining < cached.length;
        Verdict.Allowed verdict = small ? cached[(int) remaining] : null;
        Quota quota = verdict == null ? null : verdict.quota();
        if (verdict == null || quota == null || quota.resetSeconds() != seconds(rest)) {
            verdict = new Verdict.Allowed(quota(remaining, rest));
            if (small) {
                // racing threads write equal verdicts, and records may be published without a barrier
                cached[(int) remaining] = verdict;
            }
        }
        return verdict;
    }

    /** Returns the verdict of the request that took the last permit, with this time until the next one; mostly a cached one. */
    Verdict.Allowed last(long waitNanos) {
        @Nullable Verdict.Allowed[] known = lasts;
        if (known == null) {
            known = new Verdict.Allowed[CACHED];
            lasts = known;
        }
        long seconds = seconds((double) waitNanos);
        int place = (int) (seconds % CACHED);
        Verdict.Allowed verdict = known[place];
        Quota quota = verdict == null ? null : verdict.quota();
        if (verdict == null || quota == null || quota.resetSeconds() != seconds) {
            verdict = new Verdict.Allowed(quota(0, (double) waitNanos));
            // racing threads write equal verdicts, and records may be published without a barrier
            known[place] = verdict;
        }
        return verdict;
    }

    private Verdict.Allowed allowed(long remaining) {
        return new Verdict.Allowed(quota(remaining, terms.reset(remaining)));
    }

    private Quota quota(long remaining, double resetNanos) {
        return inFlight()
                ? Quota.inFlight(policy, terms().maxPermits(), remaining)
                : new Quota(
                        policy,
                        unit(),
                        terms().maxPermits(),
                        Math.max(1, terms.told()),
                        remaining,
                        seconds(resetNanos));
    }

    /** Returns a rejection with this time to wait, rounded up to milliseconds; mostly a cached one. */
    Verdict.Rejected reject(long waitNanos) {
        @Nullable Verdict.Rejected[] known = rejections;
        if (known == null) {
            known = new Verdict.Rejected[CACHED];
            rejections = known;
        }
        long millis = millis(Math.min(waitNanos, LONGEST_ADVICE));
        int place = (int) (millis % CACHED);
        Verdict.Rejected rejection = known[place];
        if (rejection == null || rejection.retryAfterMillis() != millis) {
            rejection = new Verdict.Rejected(reason(), policy, millis, quota(0, (double) (millis * MILLI)));
            // racing threads write equal verdicts, and records may be published without a barrier
            known[place] = rejection;
        }
        return rejection;
    }

    private Verdict.Reason reason() {
        return central != null && agents > 0 ? Verdict.Reason.LIMITED_BY_SHARE : Verdict.Reason.LIMITED;
    }

    /** Returns the rejection of a request because its store does not answer. */
    Verdict.Rejected rejectDegraded() {
        return new Verdict.Rejected(Verdict.Reason.LIMITED_BY_SHARE, policy, DEGRADED_RETRY_MILLIS, null);
    }

    /** Returns the rejection of a request that needs more permits than the limit has at once; of a share, the store may grant them later. */
    Verdict.Rejected rejectExcess(long permits) {
        if (central != null && agents > 0 && permits <= central.burst()) {
            return rejectDegraded();
        }
        Quota full = quota(terms().maxPermits(), 0);
        return new Verdict.Rejected(Verdict.Reason.EXCEEDS_LIMIT, policy, millis(LONGEST_ADVICE), full);
    }

    /** Returns the rejection of a request for which a throttling lock has no permit. */
    static Verdict.Rejected throttled(String policy, TokenRate rate, long waitNanos) {
        long wait = Math.min(waitNanos, LONGEST_ADVICE);
        long seconds = Math.max(1, seconds((double) wait));
        Quota quota = new Quota(policy, rate.burst(), rate.window(), 0, seconds);
        return new Verdict.Rejected(Verdict.Reason.LOCKED, policy, millis(wait), quota);
    }

    private static long millis(long nanos) {
        return Math.max(1, (nanos + MILLI - 1) / MILLI);
    }

    private static long seconds(double nanos) {
        return (long) Math.ceil(nanos / SECOND);
    }
}
