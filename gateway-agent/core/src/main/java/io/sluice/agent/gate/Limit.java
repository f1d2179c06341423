package io.sluice.agent.gate;

import io.sluice.agent.Quota;
import io.sluice.agent.Verdict;
import io.sluice.agent.limit.TokenRate;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.OnDegraded;
import org.jspecify.annotations.Nullable;

/**
 * A policy's local limit, compiled. Verdicts of small limits are made once for each number of permits left, so that a
 * check allocates nothing; those of larger ones cost two small objects.
 */
final class Limit {
    private static final int CACHED = 1024;
    private static final double SECOND = 1e9;

    private final String policy;
    private final TokenRate rate;
    private final boolean shadow;
    private final OnDegraded onDegraded;
    private final Verdict.@Nullable Allowed[] cached;

    private Limit(String policy, TokenRate rate, boolean shadow, OnDegraded onDegraded) {
        this.policy = policy;
        this.rate = rate;
        this.shadow = shadow;
        this.onDegraded = onDegraded;
        this.cached = new Verdict.Allowed[rate.burst() <= CACHED ? (int) rate.burst() + 1 : 0];
    }

    /** @return {@code null} for a rule that this version can't follow */
    static @Nullable Limit of(String policy, LimitRule rule) {
        if (rule.algorithm() != LimitRule.Algorithm.TOKEN_BUCKET || rule.scope() != LimitRule.Scope.AGENT) {
            return null;
        }
        TokenRate rate = TokenRate.of(rule.permits(), rule.perMillis() * 1_000_000, Math.max(1, rule.burst()));
        return new Limit(policy, rate, rule.shadow(), rule.onDegraded());
    }

    TokenRate rate() {
        return rate;
    }

    boolean shadow() {
        return shadow;
    }

    OnDegraded onDegraded() {
        return onDegraded;
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
        // who has nothing left asks when the next permit comes; who has some, when the limit is whole again
        long used = remaining == 0 ? 1 : rate.burst() - remaining;
        return new Verdict.Allowed(
                new Quota(policy, rate.burst(), window(rate), remaining, seconds((double) used * rate.interval())));
    }

    Verdict.Rejected reject(long waitNanos) {
        return rejection(Verdict.Reason.LIMITED, policy, rate, waitNanos);
    }

    static Verdict.Rejected rejection(Verdict.Reason reason, String policy, TokenRate rate, long waitNanos) {
        long millis = Math.max(1, (waitNanos + 999_999) / 1_000_000);
        Quota quota = new Quota(policy, rate.burst(), window(rate), 0, Math.max(1, seconds((double) waitNanos)));
        return new Verdict.Rejected(reason, policy, millis, quota);
    }

    private static long window(TokenRate rate) {
        return Math.max(1, seconds((double) rate.tolerance()));
    }

    private static long seconds(double nanos) {
        return (long) Math.ceil(nanos / SECOND);
    }
}
