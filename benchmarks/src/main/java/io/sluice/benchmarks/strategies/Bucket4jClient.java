package io.sluice.benchmarks.strategies;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.jdbc.PrimaryKeyMapper;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.testing.PostgresServer;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bucket4j's proxies as its documentation sets them up, with timeouts as tight as ours where they can be: without them a call to a frozen Redis
 * waits for a minute, and one to a frozen PostgreSQL for ever.
 */
final class Bucket4jClient implements QuotaClient {
    private static final long LEAST_CONNECTION_TIMEOUT = 250;

    private final ProxyManager<String> proxies;
    private final BucketConfiguration configuration;
    private final String prefix;
    private final Runnable end;
    private final LongAdder failed = new LongAdder();

    private Bucket4jClient(ProxyManager<String> proxies, QuotaLimit limit, Runnable end) {
        this.proxies = proxies;
        this.end = end;
        prefix = limit.policy() + ":";
        configuration = BucketConfiguration.builder()
                .addLimit(of -> of.capacity(limit.burst())
                        .refillGreedy((long) limit.permits(), Duration.ofMillis(limit.perMillis())))
                .build();
    }

    /** Compare-and-swap by Lettuce. */
    static Bucket4jClient redis(RedisStore store, QuotaLimit limit, Duration wait) {
        RedisClient client = RedisClient.create(store.url());
        ProxyManager<String> proxies = Bucket4jLettuce.casBasedBuilder(
                        client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(10)))
                .requestTimeout(wait)
                .build();
        return new Bucket4jClient(proxies, limit, client::shutdown);
    }

    /** {@code SELECT FOR UPDATE} over HikariCP. */
    static Bucket4jClient postgres(PostgresStore store, QuotaLimit limit, Duration wait) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(store.url());
        config.setUsername("postgres");
        config.setPassword(PostgresServer.PASSWORD);
        config.setMaximumPoolSize(PostgresStore.connections());
        config.setConnectionTimeout(Math.max(LEAST_CONNECTION_TIMEOUT, wait.toMillis()));
        config.setValidationTimeout(LEAST_CONNECTION_TIMEOUT);
        String seconds = Long.toString(Math.max(1, wait.toSeconds()));
        config.addDataSourceProperty("socketTimeout", seconds);
        config.addDataSourceProperty("connectTimeout", seconds);
        HikariDataSource pool = new HikariDataSource(config);
        ProxyManager<String> proxies = Bucket4jPostgreSQL.selectForUpdateBasedBuilder(pool)
                .primaryKeyMapper(PrimaryKeyMapper.STRING)
                .requestTimeout(wait)
                .build();
        return new Bucket4jClient(proxies, limit, pool::close);
    }

    @Override
    public boolean acquire(String caller) {
        try {
            return proxies.getProxy(prefix + caller, () -> configuration).tryConsume(1);
        } catch (RuntimeException e) {
            failed.increment();
            return false;
        }
    }

    @Override
    public long unanswered() {
        return failed.sum();
    }

    @Override
    public void close() {
        end.run();
    }
}
