package io.sluice.quota.redis;

import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Quotas in Redis: token bucket, fixed window and sliding log as scripts that the server runs atomically, in its own time, for all charges of a call.
 * Every key expires as soon as its quota is unused again. A Redis Cluster is not supported: one call may charge keys of several
 * nodes.
 *
 * <p>Redis replicates asynchronously and writes its file once a second at best: after a failover or a restart it may have lost the last grants, or all,
 * and grants them again.
 */
public final class RedisQuota implements QuotaStrategy {
    private static final RedisScript ACQUIRE = RedisScript.read("acquire");
    private static final RedisScript ADJUST = RedisScript.read("adjust");

    private final String name;
    private final RedisSettings settings;
    private final RedisConnection connection;
    private final AtomicInteger inFlight = new AtomicInteger();

    /**
     * Creates a client, which connects when it is first used.
     *
     * @param name the name that policies use
     * @param settings where Redis is
     * @throws IllegalArgumentException if the address is none or the password cannot be read
     */
    public RedisQuota(String name, RedisSettings settings) {
        this.name = name;
        this.settings = settings;
        connection = new RedisConnection(settings);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Algorithm> algorithms() {
        return QuotaKey.algorithms();
    }

    @Override
    public CompletionStage<QuotaAnswer> acquire(List<QuotaCharge> charges) {
        return call(ACQUIRE, charges).thenApply(RedisQuota::answer);
    }

    @Override
    public CompletionStage<Void> adjust(List<QuotaCharge> corrections) {
        return call(ADJUST, corrections).thenApply(done -> null);
    }

    private CompletableFuture<List<Object>> call(RedisScript script, List<QuotaCharge> charges) {
        // before the call is counted: what this throws must not stay counted
        CompletableFuture<RedisScriptingAsyncCommands<String, String>> connected = connection.commands();
        if (inFlight.incrementAndGet() > settings.maxInFlight()) {
            inFlight.decrementAndGet();
            return CompletableFuture.failedFuture(
                    new IllegalStateException(settings.maxInFlight() + " calls wait for Redis already"));
        }
        return connected
                .thenCompose(redis -> script.call(redis, settings.prefix(), charges))
                .whenComplete((answer, failure) -> inFlight.decrementAndGet());
    }

    private static QuotaAnswer answer(List<Object> fields) {
        long remaining = (Long) fields.get(2);
        int charge = ((Long) fields.get(1)).intValue();
        if ((Long) fields.get(0) == 1) {
            return QuotaAnswer.granted(charge, remaining);
        }
        long micros = (Long) fields.get(3);
        return QuotaAnswer.refused(
                charge, remaining, micros < 0 ? QuotaAnswer.NEVER : TimeUnit.MICROSECONDS.toNanos(micros));
    }

    @Override
    public void close() {
        connection.close();
    }
}
