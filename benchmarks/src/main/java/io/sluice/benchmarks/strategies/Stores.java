package io.sluice.benchmarks.strategies;

import io.sluice.agent.quota.QuotaStrategyProvider;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.quota.redis.RedisChunksProvider;
import io.sluice.quota.redis.RedisQuotaProvider;
import io.sluice.quota.sql.SqlQuotaProvider;
import io.sluice.quota.token.TokenServerProvider;
import io.sluice.testing.PostgresServer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The stores of a run, and the contenders that count in them. */
record Stores(RedisStore redis, PostgresStore postgres, TokenServerStore tokens) implements AutoCloseable {
    /** Starts them at once: each spends most of its start in processes of its own. */
    static Stores start() throws Exception {
        PostgresServer.needed();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Future<RedisStore> redis = threads.submit(RedisStore::start);
            Future<PostgresStore> postgres = threads.submit(PostgresStore::start);
            Future<TokenServerStore> tokens = threads.submit(TokenServerStore::start);
            return new Stores(redis.get(), postgres.get(), tokens.get());
        } finally {
            threads.shutdown();
        }
    }

    /** Returns the contenders in the order of the report. */
    List<QuotaContender> contenders() {
        return List.of(
                new QuotaContender("shares", Algorithm.TOKEN_BUCKET, null, OurClient::shares),
                ours("redis, token bucket", Algorithm.TOKEN_BUCKET, redis, new RedisQuotaProvider(), "timeout"),
                ours("redis, fixed window", Algorithm.FIXED_WINDOW, redis, new RedisQuotaProvider(), "timeout"),
                ours("redis, sliding log", Algorithm.SLIDING_LOG, redis, new RedisQuotaProvider(), "timeout"),
                ours("redis-chunks", Algorithm.TOKEN_BUCKET, redis, new RedisChunksProvider(), "timeout"),
                new QuotaContender(
                        "Bucket4j, Redis",
                        Algorithm.TOKEN_BUCKET,
                        redis,
                        (limit, wait) -> Bucket4jClient.redis(redis, limit, wait)),
                ours("sql", Algorithm.TOKEN_BUCKET, postgres, new SqlQuotaProvider(), "statement-timeout"),
                new QuotaContender(
                        "Bucket4j, PostgreSQL",
                        Algorithm.TOKEN_BUCKET,
                        postgres,
                        (limit, wait) -> Bucket4jClient.postgres(postgres, limit, wait)),
                ours("token-server", Algorithm.TOKEN_BUCKET, tokens, new TokenServerProvider(), "timeout"));
    }

    /** Returns a strategy with its default timeout, or with the client's wait when that is longer than a default. */
    private static QuotaContender ours(
            String name, Algorithm algorithm, MeasuredStore store, QuotaStrategyProvider provider, String timeout) {
        return new QuotaContender(name, algorithm, store, (limit, wait) -> {
            Map<String, String> settings = new HashMap<>(store.settings());
            if (wait.toSeconds() > 0) {
                settings.put(timeout, wait.toSeconds() + "s");
            }
            return OurClient.of(provider, settings, limit, wait);
        });
    }

    @Override
    public void close() throws IOException {
        tokens.close();
        postgres.close();
        redis.close();
    }
}
