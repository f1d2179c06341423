package io.sluice.agent.internal.limit;

import static io.sluice.agent.internal.limit.Kind.MS;
import static io.sluice.agent.internal.limit.Kind.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A changed limit holds at once, and what was used stays used. */
final class ChangedTermsTest {
    private record Taken(long time, TokenRate rate) {}

    @Test
    void aBucketThatIsEmptyStaysEmptyUnderASlowerRate() {
        TokenBucket bucket = new TokenBucket(0);
        TokenRate fast = TokenRate.of(100, SECOND, 10);
        TokenRate slow = TokenRate.of(1, SECOND, 10);
        bucket.take(fast, 10, SECOND);
        assertThat(bucket.take(slow, SECOND)).isEqualTo(-SECOND);
        assertThat(bucket.take(slow, 2 * SECOND)).isZero();
    }

    @Test
    void aBucketThatIsEmptyFillsAtOnceAtAFasterRate() {
        TokenBucket bucket = new TokenBucket(0);
        TokenRate slow = TokenRate.of(1, SECOND, 10);
        TokenRate fast = TokenRate.of(100, SECOND, 10);
        bucket.take(slow, 10, SECOND);
        assertThat(bucket.take(fast, SECOND)).isEqualTo(-10 * MS);
    }

    @Test
    void aBucketFullUnderOneRateIsFullUnderAnother() {
        TokenBucket bucket = new TokenBucket(0);
        assertThat(bucket.take(TokenRate.of(1, SECOND, 10), 5, 0)).isEqualTo(5);
        assertThat(bucket.take(TokenRate.of(7, SECOND, 20), 20, 5 * SECOND)).isZero();
    }

    @Test
    void aRateOfNothingLeavesTheBucketAsItIs() {
        TokenBucket bucket = new TokenBucket(0);
        TokenRate rate = TokenRate.of(1, SECOND, 10);
        bucket.take(rate, 10, SECOND);
        assertThat(bucket.take(TokenRate.perSecond(0), SECOND)).isEqualTo(Limiter.NEVER);
        assertThat(bucket.take(rate, SECOND)).isEqualTo(-SECOND);
    }

    /** In any span: at most the burst in force at the last permit, plus what the rates in force gave meanwhile. */
    @Tag(Seeds.TAG)
    @Test
    void noSpanHoldsMoreThanTheLastBurstAndWhatTheRatesGaveHoweverTheyChange() {
        for (long seed = 1; seed <= Seeds.of(3, 60); seed++) {
            Random random = new Random(seed);
            TokenRate[] rates = new TokenRate[3];
            for (int i = 0; i < 3; i++) {
                rates[i] = TokenRate.of(1 + random.nextInt(2000), SECOND, 1 + random.nextInt(60));
            }
            TokenBucket bucket = new TokenBucket(0);
            List<Taken> taken = new ArrayList<>();
            // what the rates in force have given up to the time of each permit
            List<Double> given = new ArrayList<>();
            TokenRate rate = rates[0];
            double sum = 0;
            long now = 0;
            for (int i = 0; i < 3_000; i++) {
                long step = random.nextInt(10) == 0 ? random.nextInt(50_000_000) : random.nextInt(500_000);
                now += step;
                sum += (double) step / rate.interval();
                if (random.nextInt(40) == 0) {
                    rate = rates[random.nextInt(3)];
                }
                int permits = 1 + random.nextInt(2);
                if (bucket.take(rate, permits, now) >= 0) {
                    for (int p = 0; p < permits; p++) {
                        taken.add(new Taken(now, rate));
                        given.add(sum);
                    }
                } else if (bucket.take(rate, 1, now) >= 0) {
                    taken.add(new Taken(now, rate));
                    given.add(sum);
                }
            }
            assertThat(taken).hasSizeGreaterThan(100);
            for (int end = 0; end < taken.size(); end++) {
                for (int start = Math.max(0, end - 300); start <= end; start++) {
                    double most = taken.get(end).rate.burst() + given.get(end) - given.get(start);
                    assertThat(end - start + 1.0)
                            .as("seed %d, %d to %d", seed, start, end)
                            .isLessThanOrEqualTo(most + 1e-3);
                }
            }
        }
    }

    @Tag(Seeds.TAG)
    @Test
    void threadsThatDisagreeOnTheRateStillShareOneBucket() throws InterruptedException {
        for (int round = 0; round < Seeds.of(15, 50); round++) {
            TokenBucket bucket = new TokenBucket(0);
            TokenRate[] rates = {TokenRate.of(1, 1000 * SECOND, 100), TokenRate.of(3, 1000 * SECOND, 100)};
            int[] taken = new int[4];
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int mine = t;
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        taken[mine] += bucket.take(rates[(mine + i) % 2], 5) >= 0 ? 1 : 0;
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(taken[0] + taken[1] + taken[2] + taken[3])
                    .as("round %d", round)
                    .isBetween(99, 100);
        }
    }

    @Test
    void aForgottenBucketIsForgottenUnderEveryRate() {
        TokenBucket bucket = new TokenBucket(0);
        bucket.take(TokenRate.perSecond(1), 0);
        bucket.take(TokenRate.perSecond(2), 0);
        assertThat(bucket.removeIfIdle(SECOND)).isTrue();
        assertThat(bucket.take(TokenRate.perSecond(1), SECOND)).isEqualTo(Limiter.REMOVED);
        assertThat(bucket.take(TokenRate.perSecond(3), SECOND)).isEqualTo(Limiter.REMOVED);
    }

    @Test
    void aLogCountsWhatItKnowsUnderAnyLimit() {
        SlidingLogLimiter log = new SlidingLogLimiter(0);
        assertThat(log.take(new WindowRate(10, SECOND), 10, SECOND)).isZero();
        assertThat(log.take(new WindowRate(15, SECOND), 6, SECOND)).isNegative();
        assertThat(log.take(new WindowRate(15, SECOND), 5, SECOND)).isZero();
        assertThat(log.take(new WindowRate(10, SECOND), 1, 2 * SECOND - 1)).isEqualTo(-1);
        assertThat(log.take(new WindowRate(16, 60 * SECOND), 1, 60 * SECOND)).isZero();
        assertThat(log.take(new WindowRate(16, 60 * SECOND), 1, 60 * SECOND)).isEqualTo(-SECOND);
    }

    @Test
    void aSlidingWindowCarriesWhatWasUsedIntoTheOtherWindow() {
        WindowRate second = new WindowRate(10, SECOND);
        WindowRate minute = new WindowRate(30, 60 * SECOND);
        SlidingWindowLimiter window = new SlidingWindowLimiter(second, 0);
        window.take(second, 10, SECOND);
        assertThat(window.take(new WindowRate(12, SECOND), 3, SECOND)).isNegative();
        assertThat(window.take(minute, 21, SECOND)).isNegative();
        assertThat(window.take(minute, 20, SECOND)).isZero();
        assertThat(window.take(second, 1, SECOND)).isNegative();
        assertThat(window.take(second, 10, 3 * SECOND)).isZero();
    }

    /** Each time is in another slice of the minute: 0, 1, 10, 11 and 12. */
    @ParameterizedTest
    @ValueSource(longs = {5, 7, 61, 67, 73})
    void slidingWindow_changed_countsNothingFromOutsideTheOldWindow(long second) {
        WindowRate former = new WindowRate(10, SECOND);
        WindowRate minute = new WindowRate(30, 60 * SECOND);
        SlidingWindowLimiter window = new SlidingWindowLimiter(former, 0);
        long now = second * SECOND;
        window.take(former, 10, now - 4 * SECOND);
        window.take(former, 10, now - 2 * SECOND);
        window.take(former, 10, now);

        assertThat(window.take(minute, 15, now)).isEqualTo(5);
        assertThat(window.take(minute, 5, now)).isZero();
        assertThat(window.take(minute, now)).isNegative();
    }

    @Test
    void aFixedWindowCarriesTheCountOfTheOpenOne() {
        WindowRate second = new WindowRate(10, SECOND);
        WindowRate minute = new WindowRate(12, 60 * SECOND);
        FixedWindowLimiter window = new FixedWindowLimiter();
        window.settle(second, false, 0);
        window.take(second, 10, SECOND);
        assertThat(window.take(minute, 3, SECOND)).isEqualTo(-59 * SECOND);
        assertThat(window.take(minute, 2, SECOND)).isZero();
        assertThat(window.take(minute, 12, 60 * SECOND)).isZero();
    }

    @Test
    void turnsThatWereGivenStayGivenAtAnotherPace() {
        LeakyBucket bucket = new LeakyBucket();
        Pace slow = new Pace(SECOND, 10 * SECOND);
        Pace fast = new Pace(100 * MS, 10 * SECOND);
        bucket.settle(slow, false, 0);
        assertThat(bucket.take(slow, 3, 0)).isEqualTo(2 * SECOND);
        assertThat(bucket.take(fast, 0)).isEqualTo(3 * SECOND);
        assertThat(bucket.take(fast, 0)).isEqualTo(3 * SECOND + 100 * MS);
    }

    @Tag(Seeds.TAG)
    @Test
    void windowsThatThreadsDisagreeOnLoseNothing() throws InterruptedException {
        for (int round = 0; round < Seeds.of(15, 50); round++) {
            WindowRate[] rates = {new WindowRate(100, 100 * SECOND), new WindowRate(100, 70 * SECOND)};
            Limiter<WindowRate> window =
                    round % 2 == 0 ? new SlidingWindowLimiter(rates[0], 0) : new SlidingLogLimiter(0);
            int[] taken = new int[4];
            AtomicBoolean swept = new AtomicBoolean();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int mine = t;
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 500; i++) {
                        taken[mine] += window.take(rates[(mine + i) % 2], SECOND) >= 0 ? 1 : 0;
                        swept.compareAndSet(false, taken[mine] > 0 && window.removeIfIdle(SECOND));
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(taken[0] + taken[1] + taken[2] + taken[3])
                    .as("round %d", round)
                    .isEqualTo(100);
            assertThat(swept).isFalse();
        }
    }
}
