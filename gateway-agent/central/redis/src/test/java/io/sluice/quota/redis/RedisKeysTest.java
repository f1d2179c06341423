package io.sluice.quota.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class RedisKeysTest {
    private static final long HOUR = 3_600_000;
    /** What Redis answers for a key that does not expire; -2 for one that has expired meanwhile. */
    private static final long WITHOUT_EXPIRY = -1;

    @TempDir
    Path folder;

    private static boolean granted(RedisQuota quota, QuotaCharge charge) {
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
