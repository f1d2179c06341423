package io.sluice.agent.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Corrections beyond their bounds, and grants of shares. */
final class CorrectionsTest {
    private static final QuotaLimit LIMIT = new QuotaLimit("p", "", Algorithm.TOKEN_BUCKET, 10, 1000, 20);

    private final List<CompletableFuture<Void>> unanswered = new CopyOnWriteArrayList<>();
    private final List<List<QuotaCharge>> sent = new CopyOnWriteArrayList<>();
    private boolean open = true;
    private final Corrections corrections = new Corrections(new Recorder(), () -> open, Duration.ofHours(1));

    private final class Recorder implements QuotaStrategy {
        @Override
        public String name() {
            return "recorder";
        }

        @Override
        public Set<Algorithm> algorithms() {
            return Set.of(Algorithm.TOKEN_BUCKET);
        }

        @Override
        public CompletionStage<QuotaAnswer> acquire(List<QuotaCharge> charges) {
            throw new IllegalStateException();
        }

        @Override
        public CompletionStage<Void> adjust(List<QuotaCharge> charges) {
            sent.add(charges);
            CompletableFuture<Void> answer = new CompletableFuture<>();
            unanswered.add(answer);
            return answer;
        }

        @Override
        public void close() {}
    }

    private static QuotaCharge charge(String subject, long permits) {
        return new QuotaCharge(LIMIT, subject, subject, permits);
    }

    @Test
    void drain_waitsForWhatIsSentAndWhatWaits() throws Exception {
        CountDownLatch draining = new CountDownLatch(1);
        corrections.add(charge("a", 1));
        corrections.flush();
        corrections.add(charge("b", 1));
        CompletableFuture<Void> store = CompletableFuture.runAsync(() -> {
            try {
                draining.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            unanswered.get(0).complete(null);
            // the other thread may be sending it
            await().until(() -> unanswered.size() == 2);
            unanswered.get(1).complete(null);
        });

        draining.countDown();
        corrections.drain(60_000);

        assertThat(sent).containsExactly(List.of(charge("a", 1)), List.of(charge("b", 1)));
        assertThat(unanswered).allMatch(CompletableFuture::isDone);
        store.get();
    }

    @Test
    @Timeout(60)
    void drain_ofAStoreThatIsAway_doesNotWait() {
        open = false;
        corrections.add(charge("a", 1));

        corrections.drain(3_600_000);

        assertThat(sent).isEmpty();
    }

    @Test
    void add_beyondTheRangeOfALong_neitherReturnsNorForgets() {
        corrections.add(charge("a", Long.MAX_VALUE));
        corrections.add(charge("a", 2));
        corrections.add(charge("b", -Long.MAX_VALUE));
        corrections.add(charge("b", -Long.MAX_VALUE));

        corrections.flush();

        assertThat(sent).containsExactly(List.of(charge("a", Long.MAX_VALUE), charge("b", Long.MIN_VALUE)));
    }

    @Test
    void add_ofOneQuota_isSummedUp() {
        corrections.add(charge("a", -3));
        corrections.add(charge("b", 2));
        corrections.add(charge("b", -2));
        corrections.add(charge("a", -4));
        corrections.flush();

        assertThat(sent).containsExactly(List.of(charge("a", -7)));
    }

    @Test
    void flush_sendsOneBatchAtATime() {
        for (int i = 0; i < 1200; i++) {
            corrections.add(charge("s" + i, 1));
        }
        corrections.flush();
        corrections.flush();
        assertThat(sent).hasSize(1);
        unanswered.get(0).complete(null);
        unanswered.get(1).completeExceptionally(new IllegalStateException());
        unanswered.get(2).complete(null);

        assertThat(sent).extracting(List::size).containsExactly(500, 500, 200);
        assertThat(corrections.dropped()).isEqualTo(500);
    }

    @Test
    void add_beyondTheBound_isDroppedAndCounted() {
        open = false;
        for (int i = 0; i < Corrections.MOST + 10; i++) {
            corrections.add(charge("s" + i, 1));
            corrections.flush();
        }

        assertThat(corrections.waiting()).isEqualTo(Corrections.MOST);
        assertThat(corrections.dropped()).isEqualTo(10);
        assertThat(sent).isEmpty();
    }

    @Test
    void grants_leakAtTheRateOfTheShareAndAreBounded() {
        LocalGrants grants = new LocalGrants();
        // among two agents: 5 permits a second, at most 10
        for (int i = 0; i < 30; i++) {
            assertThat(grants.add(charge("a", 1), 2, 0)).isZero();
        }
        assertThat(grants.drain(1_000_000_000)).containsExactly(charge("a", 5));
        assertThat(grants.drain(1_000_000_000)).isEmpty();
        for (int i = 0; i < LocalGrants.MOST; i++) {
            grants.add(charge("s" + i, 1), 2, 0);
        }
        assertThat(grants.add(charge("one more", 1), 2, 0)).isEqualTo(LocalGrants.NO_ROOM);
    }

    @Test
    void breaker_backsOffUpToTwoSeconds_andClosesOnceTheStoreHasAnsweredForLonger() {
        CircuitBreaker breaker = new CircuitBreaker();
        long now = 0;
        for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
            assertThat(breaker.closed()).isTrue();
            breaker.failed(now);
        }
        long backoff = CircuitBreaker.FIRST_BACKOFF_NANOS;
        for (int i = 0; i < 10; i++) {
            assertThat(breaker.probes(now + backoff - 1)).isFalse();
            now += backoff;
            assertThat(breaker.probes(now)).isTrue();
            assertThat(breaker.probes(now)).isFalse();
            breaker.probed(false, now);
            backoff = Math.min(2 * backoff, CircuitBreaker.LONGEST_BACKOFF_NANOS);
        }
        now += backoff;
        long back = now;
        while (now < back + CircuitBreaker.RETURN_NANOS) {
            assertThat(breaker.closed()).isFalse();
            assertThat(breaker.probes(now)).isTrue();
            breaker.probed(true, now);
            assertThat(breaker.returning()).isTrue();
            now += CircuitBreaker.FIRST_BACKOFF_NANOS;
        }
        assertThat(breaker.probes(now)).isTrue();
        breaker.probed(true, now);
        assertThat(breaker.closed()).isTrue();
        assertThat(breaker.returning()).isFalse();
    }

    @Test
    void breaker_failureDuringTheReturn_beginsAnew() {
        CircuitBreaker breaker = new CircuitBreaker();
        for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
            breaker.failed(0);
        }
        long now = CircuitBreaker.FIRST_BACKOFF_NANOS;
        assertThat(breaker.probes(now)).isTrue();
        breaker.probed(true, now);
        now += CircuitBreaker.FIRST_BACKOFF_NANOS;
        assertThat(breaker.probes(now)).isTrue();
        breaker.probed(false, now);

        assertThat(breaker.returning()).isFalse();
        now += CircuitBreaker.RETURN_NANOS;
        assertThat(breaker.probes(now)).isTrue();
        breaker.probed(true, now);
        assertThat(breaker.closed()).isFalse();
    }
}
