package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.CasLimiter;
import io.sluice.agent.internal.limit.ConcurrencyLimiter;
import io.sluice.agent.internal.limit.ConcurrencyRange;
import io.sluice.agent.internal.limit.FixedWindowLimiter;
import io.sluice.agent.internal.limit.LeakyBucket;
import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.agent.internal.limit.Pace;
import io.sluice.agent.internal.limit.SlidingLogLimiter;
import io.sluice.agent.internal.limit.SlidingWindowLimiter;
import io.sluice.agent.internal.limit.TokenBucket;
import io.sluice.agent.internal.limit.TokenRate;
import io.sluice.agent.internal.limit.WarmUpLimiter;
import io.sluice.agent.internal.limit.WarmUpRate;
import io.sluice.agent.internal.limit.WindowRate;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.LimitRule.Algorithm;

/**
 * The parameters of a limit for its algorithm: the limiter to create and the meaning of its results.
 *
 * @param interval nanoseconds until one permit returns, 0 where permits return with their window
 * @param window nanoseconds in which an unused limit is fully restored
 * @param told the same without the rounding up of each interval, for clients
 */
record LimitTerms(Algorithm algorithm, LimiterConfig terms, long interval, long window, long told) {
    private static final long MS = 1_000_000;
    // slower answers are a sign of overload, as for Netflix concurrency-limits' AIMD
    private static final long SLOW = 5000 * MS;

    /**
     * Returns the parameters of an equal share of a limit. Whole permits are rounded down, but to 1 at least: a limit of fewer permits than agents
     * would admit nothing otherwise.
     *
     * @param agents the number of shares, at least 1
     */
    static LimitTerms of(LimitRule rule, int agents) {
        long per = rule.perMillis() * MS;
        double permits = rule.permits() / agents;
        return switch (rule.algorithm()) {
            case TOKEN_BUCKET -> bucket(rule, permits, per, Math.max(1, rule.burst() / agents));
            case LEAKY_BUCKET -> of(Pace.of(permits, per, rule.maxWaitMillis() * MS), permits, per);
            case SLIDING_LOG, SLIDING_WINDOW, FIXED_WINDOW ->
                new LimitTerms(
                        rule.algorithm(), new WindowRate(share((long) rule.permits(), agents), per), 0, per, per);
            case CONCURRENCY -> new LimitTerms(rule.algorithm(), range(rule, agents), 0, 0, 0);
        };
    }

    private static LimitTerms bucket(LimitRule rule, double permits, long per, long burst) {
        if (rule.warmUpMillis() == 0) {
            return of(TokenRate.of(permits, per, burst));
        }
        WarmUpRate rate = WarmUpRate.of(permits, per, rule.warmUpMillis() * MS, burst);
        long told = Limiter.window(permits, per, rate.maxPermits());
        return new LimitTerms(Algorithm.TOKEN_BUCKET, rate, rate.interval(), rate.window(), told);
    }

    private static long share(long permits, int agents) {
        return permits == 0 ? 0 : Math.max(1, permits / agents);
    }

    private static LimitTerms of(TokenRate rate) {
        long told = rate.window();
        return new LimitTerms(Algorithm.TOKEN_BUCKET, rate, rate.interval(), rate.tolerance(), told);
    }

    private static LimitTerms of(Pace pace, double permits, long per) {
        long most = pace.maxPermits();
        return new LimitTerms(
                Algorithm.LEAKY_BUCKET,
                pace,
                pace.interval(),
                most * pace.interval(),
                Limiter.window(permits, per, most));
    }

    private static ConcurrencyRange range(LimitRule rule, int agents) {
        LimitRule.Adaptive adaptive = rule.adaptive();
        return adaptive == null
                ? ConcurrencyRange.fixed((int) share(rule.max(), agents))
                : new ConcurrencyRange((int) share(adaptive.min(), agents), (int) share(adaptive.max(), agents), SLOW);
    }

    /** Creates a limiter as if idle since then, or as if just exhausted: a subject that may have used the shared limiter starts empty. */
    Limiter<?> started(boolean spent, long since) {
        long from = spent ? since + window : since;
        if (terms instanceof WarmUpRate rate) {
            return new WarmUpLimiter(rate, from);
        }
        return switch (algorithm) {
            case TOKEN_BUCKET -> settled(new TokenBucket(), (TokenRate) terms, spent, since);
            case FIXED_WINDOW -> settled(new FixedWindowLimiter(), (WindowRate) terms, spent, since);
            case LEAKY_BUCKET -> settled(new LeakyBucket(), (Pace) terms, spent, since);
            case SLIDING_LOG -> new SlidingLogLimiter(from);
            case SLIDING_WINDOW -> new SlidingWindowLimiter((WindowRate) terms, from);
            case CONCURRENCY -> new ConcurrencyLimiter(0);
        };
    }

    private static <T extends LimiterConfig> Limiter<T> settled(
            CasLimiter<T> limiter, T terms, boolean spent, long since) {
        limiter.settle(terms, spent, since);
        return limiter;
    }

    boolean warmsUp() {
        return terms instanceof WarmUpRate;
    }

    boolean inFlight() {
        return algorithm == Algorithm.CONCURRENCY;
    }

    /** Returns nanoseconds until the assigned slot of an admitted request. */
    long delay(long taken) {
        return algorithm == Algorithm.LEAKY_BUCKET ? Math.max(0, taken) : 0;
    }

    /** Returns the permits left after an admission. */
    long remaining(long taken) {
        return terms instanceof Pace pace ? (pace.maxWait() - taken) / interval : taken;
    }

    /** Returns whether all permits return at once, at the end of a window. */
    boolean inFixedWindows() {
        return algorithm == Algorithm.FIXED_WINDOW;
    }

    /** Returns nanoseconds until the end of the fixed window at this time. */
    long restOfWindow(long now) {
        return window - now % window;
    }

    /** Returns nanoseconds until the limit is fully restored or, with nothing left, until the next permit. */
    double reset(long remaining) {
        long used = remaining == 0 ? 1 : terms.maxPermits() - remaining;
        return interval == 0 ? window : (double) used * interval;
    }
}
