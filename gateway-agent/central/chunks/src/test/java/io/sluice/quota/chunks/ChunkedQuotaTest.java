package io.sluice.quota.chunks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChunkedQuotaTest {
    private static final long DAY = 86_400_000;
    // a chunk is not returned while a test takes permits
    private static final ChunkOptions LASTING = new ChunkOptions(Duration.ofMinutes(1), Duration.ofHours(1), 100);

    private final ExactStore store = new ExactStore();
    private ChunkedQuota quota = new ChunkedQuota("exact-chunks", store, LASTING);

    @AfterEach
    void close() {
        quota.close();
    }

    @Test
    void fewCalls_reachTheStore() {
        QuotaCharge charge = charge("few", 10_000);

        int granted = takeAll(quota, charge);

        assertThat(granted).isEqualTo(10_000);
        assertThat(store.calls()).isLessThan(100);
        assertThat(quota.ahead().permits()).isZero();
    }

    @Test
    void chunk_isAtMostTheUse_andAQuarterOfTheRest() {
        QuotaCharge charge = charge("sized", 100);
        for (int used = 1; used <= 100; used++) {
            assertThat(quota.acquire(List.of(charge))
                            .toCompletableFuture()
                            .join()
                            .granted())
                    .isTrue();
            long rest = store.left(charge);

            assertThat(quota.ahead().permits()).isLessThan(used);
            // a chunk was taken of at least four times as much, and one request with it
            assertThat(quota.ahead().permits() * 4)
                    .isLessThanOrEqualTo(rest + quota.ahead().permits() + 1);
        }
    }

    @Test
    void manyThreads_takeExactlyTheLimit() throws Exception {
        QuotaCharge child = charge("child", 3_000);
        QuotaCharge parent = charge("parent", 5_000);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            List<QuotaCharge> charges = i < 4 ? List.of(child, parent) : List.of(parent);
            results.add(threads.submit(() -> takeAll(quota, charges)));
        }
        int granted = 0;
        for (Future<Integer> result : results) {
            granted += result.get();
        }
        threads.shutdown();

        assertThat(granted).isEqualTo(5_000);
        assertThat(store.left(parent)).isZero();
        assertThat(store.left(child)).isNotNegative();
    }

    @Test
    void idleChunk_isReturned() {
        quota = new ChunkedQuota(
                "exact-chunks", store, new ChunkOptions(Duration.ofMinutes(1), Duration.ofMillis(50), 100));
        QuotaCharge charge = charge("idle", 1_000);
        int granted = 0;
        while (granted < 500 || quota.ahead().permits() == 0) {
            granted +=
                    quota.acquire(List.of(charge)).toCompletableFuture().join().granted() ? 1 : 0;
        }
        long expected = 1_000L - granted;

        await().until(() -> quota.ahead().subjects() == 0);
        // one permit may have returned by itself, as far as a client can know, each time that a chunk was idle
        await().untilAsserted(() -> {
            assertThat(store.corrections()).isPositive();
            assertThat(store.left(charge)).isBetween(expected - store.corrections(), expected);
        });
    }

    @Test
    void closing_returnsWhatIsHeld() {
        QuotaCharge charge = charge("closed", 1_000);
        int granted = 0;
        while (quota.ahead().permits() == 0) {
            granted +=
                    quota.acquire(List.of(charge)).toCompletableFuture().join().granted() ? 1 : 0;
        }

        quota.close();

        assertThat(store.left(charge)).isBetween(1_000L - granted - 1, 1_000L - granted);
        assertThatThrownBy(() ->
                        quota.acquire(List.of(charge)).toCompletableFuture().join())
                .hasMessageContaining("is closed");
    }

    @Test
    void subjectsBeyondTheBound_areAskedForAtTheStore() {
        for (int subject = 0; subject < 300; subject++) {
            assertThat(takeAll(quota, charge("many-" + subject, 20))).isEqualTo(20);
        }

        assertThat(quota.ahead().subjects()).isEqualTo(100);
        assertThat(quota.ahead().beyond()).isGreaterThanOrEqualTo(200 * 20);
    }

    @Test
    void heldPermits_areGrantedWhileTheStoreIsDead_andNoMore() {
        QuotaCharge charge = charge("dead", 1_000);
        while (quota.ahead().permits() < 20) {
            quota.acquire(List.of(charge)).toCompletableFuture().join();
        }
        long held = quota.ahead().permits();

        store.die();

        for (long i = 0; i < held; i++) {
            assertThat(quota.acquire(List.of(charge))
                            .toCompletableFuture()
                            .join()
                            .granted())
                    .isTrue();
        }
        assertThatThrownBy(() ->
                        quota.acquire(List.of(charge)).toCompletableFuture().join())
                .hasMessageContaining("the store is dead");
    }

    @Test
    void storeThatThrowsAnError_isAskedAgainByTheNextCall() {
        QuotaCharge charge = charge("error", 1_000);
        store.throwOnce(new NoClassDefFoundError("a clash of libraries"));

        assertThatThrownBy(() ->
                        quota.acquire(List.of(charge)).toCompletableFuture().join())
                .hasStackTraceContaining("a clash of libraries");

        assertThat(quota.acquire(List.of(charge)).toCompletableFuture())
                .isCompletedWithValueMatching(QuotaAnswer::granted);
    }

    @Test
    void idleChunk_storeThrowsAnError_furtherOnesAreReturned() {
        quota = new ChunkedQuota(
                "exact-chunks", store, new ChunkOptions(Duration.ofMinutes(1), Duration.ofMillis(50), 100));
        store.throwOnceWhenCorrected(new NoClassDefFoundError("a clash of libraries"));
        hold(charge("first", 1_000));
        await().until(() -> quota.ahead().subjects() == 0);

        hold(charge("second", 1_000));

        await().until(() -> quota.ahead().subjects() == 0);
    }

    private void hold(QuotaCharge charge) {
        while (quota.ahead().permits() == 0) {
            quota.acquire(List.of(charge)).toCompletableFuture().join();
        }
    }

    @Test
    void refusal_isRepeatedWithoutTheStore_untilACorrection() {
        QuotaCharge charge = charge("refused", 10);
        takeAll(quota, charge);
        long calls = store.calls();

        QuotaAnswer refused =
                quota.acquire(List.of(charge)).toCompletableFuture().join();

        assertThat(refused.granted()).isFalse();
        assertThat(refused.retryAfterNanos()).isPositive();
        assertThat(store.calls()).isEqualTo(calls);
        quota.adjust(List.of(new QuotaCharge(charge.limit(), charge.subject(), charge.route(), -1)));
        assertThat(takeAll(quota, charge)).isOne();
    }

    @Test
    void options_areChecked() {
        assertThat(ChunkOptions.read(Map.of())).isEqualTo(ChunkOptions.defaults());
        assertThat(ChunkOptions.read(Map.of("chunk-ahead", "1s", "chunk-idle", "5s", "chunk-subjects", "7")))
                .isEqualTo(new ChunkOptions(Duration.ofSeconds(1), Duration.ofSeconds(5), 7));
        assertThatThrownBy(() -> ChunkOptions.read(Map.of("chunk-ahead", "soon")))
                .hasMessageContaining("chunk-ahead is \"soon\"; allowed: a duration");
        assertThatThrownBy(() -> ChunkOptions.read(Map.of("chunk-idle", "9ms")))
                .hasMessageContaining("chunk-idle is 9 ms; 10 to 3600000 ms are allowed");
        assertThatThrownBy(() -> ChunkOptions.read(Map.of("chunk-subjects", "0")))
                .hasMessageContaining("chunk-subjects is 0; 1 to 10000000 are allowed");
    }

    private static int takeAll(ChunkedQuota quota, QuotaCharge charge) {
        return takeAll(quota, List.of(charge));
    }

    private static int takeAll(ChunkedQuota quota, List<QuotaCharge> charges) {
        int granted = 0;
        while (quota.acquire(charges).toCompletableFuture().join().granted()) {
            granted++;
        }
        return granted;
    }

    private static QuotaCharge charge(String subject, long permits) {
        QuotaLimit limit = new QuotaLimit("policy", "", Algorithm.TOKEN_BUCKET, permits, DAY, permits);
        return new QuotaCharge(limit, "[\"" + subject + "\"]", "[\"" + subject + "\"]", 1);
    }
}
