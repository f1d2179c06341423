package io.sluice.benchmarks.gate;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowRuleManager;
import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.local.LocalBucket;
import io.github.bucket4j.local.SynchronizationStrategy;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.List;

/** What users would pick instead, each asked in its usual way: whether a caller may pass, without waiting. */
final class Peers {
    private static final String RESOURCE = "orders";

    private Peers() {}

    static Asked named(String name, Allowance allowance) {
        return switch (name) {
            case "bucket4j" -> bucket4j(allowance);
            case "guava" -> guava(allowance);
            case "resilience4j" -> resilience4j(allowance);
            case "sentinel" -> sentinel(allowance);
            default -> throw new IllegalArgumentException("no peer is called " + name);
        };
    }

    private static Asked bucket4j(Allowance allowance) {
        Keyed<LocalBucket> buckets = new Keyed<>(caller -> Bucket.builder()
                .addLimit(limit -> limit.capacity(allowance.burst()).refillGreedy(allowance.permits(), allowance.per()))
                .withCustomTimePrecision(TimeMeter.SYSTEM_NANOTIME)
                .withSynchronizationStrategy(SynchronizationStrategy.LOCK_FREE)
                .build());
        return caller -> buckets.of(caller).tryConsume(1);
    }

    @SuppressWarnings("UnstableApiUsage") // beta since 2012, and used everywhere
    private static Asked guava(Allowance allowance) {
        double perSecond = allowance.permits() / (double) allowance.per().toSeconds();
        Keyed<RateLimiter> limiters = new Keyed<>(caller -> RateLimiter.create(perSecond));
        return caller -> limiters.of(caller).tryAcquire();
    }

    private static Asked resilience4j(Allowance allowance) {
        RateLimiterConfig config = RateLimiterConfig.custom()
                .limitForPeriod((int) allowance.permits())
                .limitRefreshPeriod(allowance.per())
                .timeoutDuration(Duration.ZERO)
                .build();
        Keyed<io.github.resilience4j.ratelimiter.RateLimiter> limiters =
                new Keyed<>(caller -> io.github.resilience4j.ratelimiter.RateLimiter.of(caller, config));
        return caller -> limiters.of(caller).acquirePermission();
    }

    /** Sentinel keeps the map itself: a limit by a hot parameter. */
    private static Asked sentinel(Allowance allowance) {
        ParamFlowRule rule = new ParamFlowRule(RESOURCE).setParamIdx(0).setCount((double) allowance.permits());
        rule.setDurationInSec(allowance.per().toSeconds());
        ParamFlowRuleManager.loadRules(List.of(rule));
        return caller -> {
            try (Entry entry = SphU.entry(RESOURCE, EntryType.IN, 1, caller)) {
                return entry != null;
            } catch (BlockException rejected) {
                return false;
            }
        };
    }
}
