package io.sluice.quota.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaStrategyProvider;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TokenTableTest {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong clock = new AtomicLong(1_000 * SECOND);

    private TokenTable table(int most, boolean full) {
        return new TokenTable(most, full, clock::get);
    }

    private static TokenCharge bucket(String subject, long permits) {
        return new TokenCharge("p", "", false, SECOND, 100, subject, permits);
    }

    private static TokenCharge window(String subject, long permits) {
        return new TokenCharge("p", "", true, 100 * SECOND, 100, subject, permits);
    }

    private static QuotaAnswer take(TokenTable table, long failover, TokenCharge charge) {
        return table.acquire(List.of(charge), failover);
    }

    @Test
    void startedServer_givesAChunk_andWhatRefills() {
        TokenTable table = table(10, false);

        assertThat(take(table, 0, bucket("a", 11))).isEqualTo(QuotaAnswer.refused(0, 10, SECOND));
        assertThat(take(table, 0, bucket("a", 10))).isEqualTo(QuotaAnswer.granted(0, 0));
        clock.addAndGet(20 * SECOND);
        assertThat(take(table, 0, bucket("a", 20)).granted()).isTrue();
        // a newcomer, as long after the start
        assertThat(take(table, 0, bucket("b", 30)).granted()).isTrue();
        assertThat(take(table, 0, bucket("b", 1)).granted()).isFalse();
        clock.addAndGet(100 * SECOND);
        assertThat(take(table, 0, bucket("c", 100)).granted()).isTrue();
    }

    @Test
    void startedServer_givesAChunkOfTheWindow_andAllOfTheNext() {
        TokenTable table = table(10, false);

        assertThat(take(table, 0, window("a", 11)).granted()).isFalse();
        assertThat(take(table, 0, window("a", 10)).granted()).isTrue();
        clock.addAndGet(100 * SECOND);
        assertThat(take(table, 0, window("a", 100)).granted()).isTrue();
    }

    @Test
    void failover_givesAChunkAndTheRate_howeverOftenItIsSaid() {
        TokenTable table = table(10, true);
        assertThat(take(table, 1, bucket("a", 10)).granted()).isTrue();
        long granted = 0;
        for (int second = 1; second <= 50; second++) {
            clock.addAndGet(SECOND);
            for (int i = 0; i < 3; i++) {
                granted += take(table, second * SECOND, bucket("a", 1)).granted() ? 1 : 0;
            }
        }
        assertThat(granted).isEqualTo(50);
        // the owner was asked again, and failed once more when the bucket had filled
        clock.addAndGet(1_000 * SECOND);
        assertThat(take(table, 1, bucket("a", 11)).granted()).isFalse();
        assertThat(take(table, 1, bucket("a", 10)).granted()).isTrue();
    }

    @Test
    void rejoin_leavesAChunkOfEachBucket() {
        TokenTable table = table(10, true);
        take(table, 0, bucket("a", 50));
        table.rejoin();

        assertThat(take(table, 0, bucket("a", 11)).granted()).isFalse();
        assertThat(take(table, 0, bucket("a", 10)).granted()).isTrue();
        assertThat(take(table, 0, bucket("b", 11)).granted()).isFalse();
        assertThat(table.rejoins()).isEqualTo(1);
    }

    @Test
    void moreSubjectsThanTheBound_makeRoom_andNewcomersGetAChunk() {
        TokenTable table = table(100, true);
        for (int i = 0; i < 10_000; i++) {
            take(table, 0, bucket("s" + i, 1));
            assertThat(table.size()).isLessThanOrEqualTo(100);
        }
        assertThat(table.evicted()).isEqualTo(9_900);
        assertThat(take(table, 0, bucket("s0", 11)).granted()).isFalse();
        assertThat(take(table, 0, bucket("s0", 10)).granted()).isTrue();
    }

    @Test
    void fullTable_twoLevelRequest_evictsNeitherOfItsBuckets() {
        for (int others = 1; others < 20; others++) {
            TokenTable table = table(8, true);
            for (int i = 0; i < 8 + others; i++) {
                take(table, 0, bucket("s" + i, 50));
            }
            for (int i = 0; i < 10; i++) {
                assertThat(table.acquire(List.of(bucket("user", 1), bucket("team", 1)), 0)
                                .granted())
                        .isTrue();
            }
            // newcomers of a table that evicts hold a chunk of ten
            assertThat(take(table, 0, bucket("user", 1)).granted()).isFalse();
            assertThat(take(table, 0, bucket("team", 1)).granted()).isFalse();
            assertThat(table.size()).isEqualTo(8);
        }
    }

    @Test
    void fullTable_bucketThatTheRequestChargesToo_isNotEvictedForItsFirst() {
        for (int others = 0; others < 20; others++) {
            TokenTable table = table(8, true);
            for (int i = 0; i < 7 + others; i++) {
                take(table, 0, bucket("s" + i, 50));
            }
            // idle soonest of all, so that it would make room
            take(table, 0, bucket("team", 1));
            long left = take(table, 0, bucket("team", 0)).remaining();

            assertThat(table.acquire(List.of(bucket("user", 1), bucket("team", 1)), 0)
                            .granted())
                    .isTrue();
            assertThat(take(table, 0, bucket("team", 0)).remaining()).isEqualTo(left - 1);
        }
    }

    @Test
    void moreChargesThanBuckets_areAllCharged_andRoomIsMadeAfterwards() {
        TokenTable table = table(1, true);
        table.adjust(List.of(bucket("a", 100), bucket("b", 100), bucket("c", 100)), 0);

        assertThat(take(table, 0, bucket("a", 1)).granted()).isFalse();
        assertThat(take(table, 0, bucket("b", 1)).granted()).isFalse();
        take(table, 0, bucket("d", 1));
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void sweep_removesWhatIsFullAgain() {
        TokenTable table = table(100, true);
        take(table, 0, bucket("a", 1));
        take(table, 0, bucket("b", 5));
        clock.addAndGet(2 * SECOND);

        table.sweep();

        assertThat(table.size()).isEqualTo(1);
        assertThat(take(table, 0, bucket("b", 98)).granted()).isFalse();
    }

    @Test
    void changedRate_keepsWhatIsMissing() {
        TokenTable table = table(100, true);
        take(table, 0, bucket("a", 100));
        TokenCharge faster = new TokenCharge("p", "", false, SECOND / 10, 100, "a", 1);

        assertThat(take(table, 0, faster).retryAfterNanos()).isBetween(SECOND / 10, SECOND / 10 + 1_000);
    }

    @Test
    void absurdCorrections_areBounded() {
        TokenTable table = table(100, true);
        table.adjust(List.of(bucket("a", Long.MAX_VALUE), window("a", Long.MAX_VALUE)), 0);
        long wait = take(table, 0, bucket("a", 1)).retryAfterNanos();
        assertThat(wait).isBetween(86_400 * SECOND, 86_400 * SECOND + SECOND);
        table.adjust(List.of(bucket("a", Long.MIN_VALUE), window("a", Long.MIN_VALUE)), 0);
        assertThat(take(table, 0, bucket("a", 100)).granted()).isTrue();
        assertThat(take(table, 0, window("a", 100)).granted()).isTrue();
    }

    @Test
    void settings_problemsAreNamedAtOnce() {
        assertThatThrownBy(() -> TokenServerSettings.of(
                        Map.of("servers", "a:1, a:1", "timeout", "1ms", "certificate", "/nowhere", "cluster", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "agent.quota.token-server.servers: found a:1, a:1, allowed is HOST:PORT of each sidecar")
                .hasMessageContaining("agent.quota.token-server.timeout: found 1ms, allowed is a duration")
                .hasMessageContaining(
                        "agent.quota.token-server.certificate: found /nowhere, allowed is a PEM file that can be read")
                .hasMessageContaining("agent.quota.token-server.key: found nothing, allowed is a PEM file")
                .hasMessageContaining("agent.quota.token-server.cluster: unknown");
        assertThatThrownBy(() -> TokenServerSettings.of(Map.of()))
                .hasMessageStartingWith("agent.quota.token-server.servers: found nothing");
    }

    @Test
    void provider_isFoundByItsName() {
        assertThat(ServiceLoader.load(QuotaStrategyProvider.class))
                .extracting(QuotaStrategyProvider::name)
                .containsExactly("token-server");
    }
}
