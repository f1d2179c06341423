package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.ConcurrencyLimiter;
import io.sluice.agent.internal.limit.ConcurrencyPermit;
import io.sluice.agent.internal.limit.ConcurrencyRange;
import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.agent.internal.limit.TokenRate;
import io.sluice.agent.verdict.Permit;
import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.contract.policy.OnDegraded;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A policy's local limit, compiled. Verdicts of small limits are made once for each number of permits left, and rejections once for
 * each time to wait, so that a check allocates nothing; those of larger ones cost two small objects, and one that delays or holds a permit
 * is made for its request.
 */
final class Limit {
    private static final int CACHED = 1024;
    private static final double SECOND = 1e9;
    private static final long MILLI = 1_000_000;
    // a limit of nothing is worth asking about again tomorrow
    private static final long LONGEST_ADVICE = 86_400_000_000_000L;

    private final String policy;
    private final LimitTerms terms;
    private final boolean shadow;
    private final int slot;
    private final OnDegraded onDegraded;
    private final Verdict.@Nullable Allowed[] cached;
    private volatile Verdict.@Nullable Rejected @Nullable [] rejections;

    private Limit(String policy, LimitTerms terms, LimitRule rule, int slot) {
        this.policy = policy;
        this.terms = terms;
        this.shadow = rule.shadow();
        this.slot = slot;
        this.onDegraded = rule.onDegraded();
        long most = terms.terms().maxPermits();
        this.cached = new Verdict.Allowed[most <= CACHED ? (int) most + 1 : 0];
    }

    /**
     * Compiles a rule.
     *
     * @param slot which of a subject's limiters it is held by; see {@link LimiterSlots}
     * @return {@code null} for a rule that this version can't follow
     */
    static @Nullable Limit of(String policy, LimitRule rule, int slot) {
        return rule.scope() == LimitRule.Scope.AGENT ? new Limit(policy, LimitTerms.of(rule), rule, slot) : null;
    }

    LimiterConfig terms() {
        return terms.terms();
    }

    Algorithm algorithm() {
        return terms.algorithm();
    }

    boolean shadow() {
        return shadow;
    }

    OnDegraded onDegraded() {
        return onDegraded;
    }

    /** Which of a subject's limiters it is held by; see {@link LimiterSlots}. */
    int slot() {
        return slot;
    }

    /** Whether a gate can itself be the limiter. One that only reports has its own, so that it takes nothing from others. */
    boolean fitsGate() {
        return algorithm() == Algorithm.TOKEN_BUCKET && !shadow;
    }

    boolean inFlight() {
        return terms.inFlight();
    }

    Limiter<?> started(boolean spent, long since) {
        return terms.started(spent, since);
    }

    /** What a request holds that was given a permit, with what it holds already. */
    @Nullable
    Permit permit(Limiter<LimiterConfig> limiter, long taken, long now, LongSupplier ticks, @Nullable Permit also) {
        return taken >= 0 && (Limiter<?>) limiter instanceof ConcurrencyLimiter from
                ? new ConcurrencyPermit(from, (ConcurrencyRange) terms(), now, ticks, also)
                : also;
    }

    long delay(long taken) {
        return terms.delay(taken);
    }

    long remaining(long taken) {
        return terms.remaining(taken);
    }

    Verdict.Allowed allow(long remaining) {
        if (remaining >= cached.length) {
            return allowed(remaining);
        }
        Verdict.Allowed verdict = cached[(int) remaining];
        if (verdict == null) {
            verdict = allowed(remaining);
            // a race writes an equal verdict, and records may be published without a barrier
            cached[(int) remaining] = verdict;
        }
        return verdict;
    }

    private Verdict.Allowed allowed(long remaining) {
        return new Verdict.Allowed(quota(remaining, terms.reset(remaining)));
    }

    private Quota quota(long remaining, double resetNanos) {
        return inFlight()
                ? Quota.inFlight(policy, terms().maxPermits(), remaining)
                : new Quota(policy, terms().maxPermits(), window(terms.window()), remaining, seconds(resetNanos));
    }

    /** A rejection that says to come again after so long, in whole milliseconds; mostly the same object for the same number. */
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
            rejection =
                    new Verdict.Rejected(Verdict.Reason.LIMITED, policy, millis, quota(0, (double) (millis * MILLI)));
            // a race writes an equal verdict, and records may be published without a barrier
            known[place] = rejection;
        }
        return rejection;
    }

    /** The rejection of a request that a throttling lock has no permit for. */
    static Verdict.Rejected throttled(String policy, TokenRate rate, long waitNanos) {
        long wait = Math.min(waitNanos, LONGEST_ADVICE);
        long seconds = Math.max(1, seconds((double) wait));
        Quota quota = new Quota(policy, rate.burst(), window(rate.tolerance()), 0, seconds);
        return new Verdict.Rejected(Verdict.Reason.LOCKED, policy, millis(wait), quota);
    }

    private static long millis(long nanos) {
        return Math.max(1, (nanos + MILLI - 1) / MILLI);
    }

    private static long window(long nanos) {
        return Math.max(1, seconds((double) nanos));
    }

    private static long seconds(double nanos) {
        return (long) Math.ceil(nanos / SECOND);
    }
}
