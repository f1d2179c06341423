package io.sluice.quota.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.agent.quota.QuotaStrategyProvider;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class RedisKeysTest {
    private static final long HOUR = 3_600_000;
    /** What Redis answers for a key that does not expire; -2 for one that has expired meanwhile. */
    private static final long WITHOUT_EXPIRY = -1;

    @TempDir
    Path folder;

    private static boolean granted(QuotaStrategy quota, QuotaCharge charge) {
        return quota.acquire(List.of(charge)).toCompletableFuture().join().granted();
    }

    @Test
    void everyKey_expires_afterEveryKindOfChange() throws Exception {
        try (RedisCentre server = RedisCentre.start();
                RedisQuota quota = new RedisQuota("redis", RedisSettings.read(server.settings(), Set.of()));
                RedisClient client = RedisClient.create(server.url());
                StatefulRedisConnection<String, String> redis = client.connect()) {
            for (Algorithm algorithm : quota.algorithms()) {
                for (long correction : new long[] {5, 100, -1, -2, -1_000}) {
                    String subject = "[\"" + algorithm + correction + "\"]";
                    QuotaCharge charge = charge(algorithm, subject, subject, 3);
                    quota.acquire(List.of(charge)).toCompletableFuture().join();
                    quota.adjust(List.of(charge(algorithm, subject, subject, correction)))
                            .toCompletableFuture()
                            .join();
                    quota.adjust(List.of(charge(algorithm, subject, "[\"new\"," + subject.substring(1), correction)))
                            .toCompletableFuture()
                            .join();
                }
            }

            List<String> keys = redis.sync().keys("*");
            assertThat(keys).hasSizeGreaterThan(15);
            for (String key : keys) {
                // of a token bucket the debt is a day at most
                assertThat(redis.sync().pttl(key))
                        .as(key)
                        .isNotEqualTo(WITHOUT_EXPIRY)
                        .isLessThanOrEqualTo(86_400_000L + HOUR + 2);
            }
        }
    }

    @Test
    void logOfManyPermits_hasOneMemberForEachRequest() throws Exception {
        try (RedisCentre server = RedisCentre.start();
                RedisQuota quota = new RedisQuota("redis", RedisSettings.read(server.settings(), Set.of()));
                RedisClient client = RedisClient.create(server.url());
                StatefulRedisConnection<String, String> redis = client.connect()) {
            QuotaLimit limit = new QuotaLimit("tokens", "", Algorithm.SLIDING_LOG, 1_000_000, HOUR, 1_000_000);
            QuotaCharge charge = new QuotaCharge(limit, "[\"a\"]", "[\"a\"]", 100_000);
            for (int i = 0; i < 10; i++) {
                assertThat(granted(quota, charge)).isTrue();
            }

            assertThat(granted(quota, charge)).isFalse();
            assertThat(redis.sync().zcard(redis.sync().keys("*").get(0))).isEqualTo(10);
        }
    }

    /** As if a clock ahead by an hour had written the bucket's key, without an expiry: the step defers that, too. */
    @ParameterizedTest
    @ValueSource(strings = {"redis", "redis-chunks"})
    void bucket_afterAClockWasSetBack_refillsAtItsRate(String strategy) throws Exception {
        QuotaStrategyProvider provider =
                strategy.equals("redis") ? new RedisQuotaProvider() : new RedisChunksProvider();
        try (RedisCentre server = RedisCentre.start();
                QuotaStrategy quota = provider.create(server.settings());
                RedisClient client = RedisClient.create(server.url());
                StatefulRedisConnection<String, String> redis = client.connect()) {
            QuotaLimit limit = new QuotaLimit("bucket", "", Algorithm.TOKEN_BUCKET, 10, 1_000, 10);
            QuotaCharge charge = new QuotaCharge(limit, "[]", "[]", 1);
            long micros =
                    TimeUnit.SECONDS.toMicros(Long.parseLong(redis.sync().time().get(0)));
            redis.sync().set(QuotaKey.of("sluice:", charge), (micros + 1_000 * HOUR) + ":1000000:100000");
            long asked = System.nanoTime();

            QuotaAnswer first =
                    quota.acquire(List.of(charge)).toCompletableFuture().join();
            AtomicInteger granted = new AtomicInteger();
            Awaitility.await("three permits to return")
                    .until(() -> granted.addAndGet(granted(quota, charge) ? 1 : 0) == 3);

            assertThat(first).isEqualTo(QuotaAnswer.refused(0, 0, TimeUnit.MILLISECONDS.toNanos(100)));
            assertThat(System.nanoTime() - asked)
                    .as("nanoseconds for three permits of ten per second")
                    .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(290));
        }
    }

    /** New members then have the score of the newest one, and are in the order of their bytes. */
    @Test
    void log_afterAClockWasSetBack_grantsNoMore() throws Exception {
        try (RedisCentre server = RedisCentre.start();
                RedisQuota quota = new RedisQuota("redis", RedisSettings.read(server.settings(), Set.of()));
                RedisClient client = RedisClient.create(server.url());
                StatefulRedisConnection<String, String> redis = client.connect()) {
            QuotaLimit limit = new QuotaLimit("log", "", Algorithm.SLIDING_LOG, 12, HOUR, 12);
            QuotaCharge charge = new QuotaCharge(limit, "[]", "[]", 1);
            int granted = 0;
            for (int i = 0; i < 40; i++) {
                granted += granted(quota, charge) ? 1 : 0;
                if (i == 0) {
                    // as if a clock ahead by 30 s had written it
                    String key = redis.sync().keys("*").get(0);
                    redis.sync()
                            .zincrby(
                                    key,
                                    30_000_000,
                                    redis.sync().zrange(key, 0, 0).get(0));
                }
            }

            assertThat(granted).isEqualTo(12);
        }
    }

    @Test
    void log_afterAnAbsurdCorrection_countsOn() throws Exception {
        long window = 2_000;
        try (RedisCentre server = RedisCentre.start();
                RedisQuota quota = new RedisQuota("redis", RedisSettings.read(server.settings(), Set.of()))) {
            QuotaLimit limit = new QuotaLimit("log", "", Algorithm.SLIDING_LOG, 2, window, 2);
            quota.adjust(List.of(new QuotaCharge(limit, "[]", "[]", Long.MAX_VALUE)))
                    .toCompletableFuture()
                    .join();
            // until the absurd one has left the window, and the others count alone
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(window + 200);
            while (System.nanoTime() - end < 0) {
                long before = System.nanoTime();
                for (int i = 0; i < 2; i++) {
                    quota.adjust(List.of(new QuotaCharge(limit, "[]", "[]", 1)))
                            .toCompletableFuture()
                            .join();
                }
                boolean granted = granted(quota, new QuotaCharge(limit, "[]", "[]", 1));
                boolean within = System.nanoTime() - before < TimeUnit.MILLISECONDS.toNanos(window);
                assertThat(granted && within)
                        .as("a third permit within the window")
                        .isFalse();
            }
        }
    }

    @Test
    void keys_ofAllSubjectsAndAlgorithms_differ() {
        Set<String> keys = new HashSet<>();
        for (String route : List.of("[\"org\"]", "[\"}o{rg\"]", "[\"{}\"]")) {
            for (String subject : List.of(route, "[\"a\"]", "[\"a:\"]", "[\"}\"]")) {
                for (Algorithm algorithm : QuotaKey.algorithms()) {
                    String key = QuotaKey.of("sluice:", charge(algorithm, route, subject, 1));
                    assertThat(keys.add(key)).as(key).isTrue();
                }
            }
        }
    }

    @Test
    void passwordFile_opensAProtectedServer() throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "s3cret\n");
        try (RedisCentre server = RedisCentre.start("--requirepass", "s3cret")) {
            QuotaCharge charge = charge(Algorithm.FIXED_WINDOW, "[\"a\"]", "[\"a\"]", 1);
            Map<String, String> with = new HashMap<>(server.settings());
            with.put("password-file", password.toString());
            try (RedisQuota quota = new RedisQuota("redis", RedisSettings.read(with, Set.of()))) {
                assertThat(granted(quota, charge)).isTrue();
            }
            try (RedisQuota quota = new RedisQuota("redis", RedisSettings.read(server.settings(), Set.of()))) {
                assertThatThrownBy(() -> quota.acquire(List.of(charge))
                                .toCompletableFuture()
                                .join())
                        .hasStackTraceContaining("NOAUTH");
            }
        }
    }

    private static QuotaCharge charge(Algorithm algorithm, String route, String subject, long permits) {
        return new QuotaCharge(new QuotaLimit("policy", "", algorithm, 10, HOUR, 10), subject, route, permits);
    }
}
