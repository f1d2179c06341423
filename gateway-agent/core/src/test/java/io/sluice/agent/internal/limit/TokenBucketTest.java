package io.sluice.agent.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TokenBucketTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;
    // one permit each 100 ms, three at once
    private static final TokenRate TEN = TokenRate.of(10, SECOND, 3);

    @Test
    void aFullBucketGivesItsBurst() {
        TokenBucket bucket = new TokenBucket(0);
        assertThat(new long[] {bucket.take(TEN, SECOND), bucket.take(TEN, SECOND), bucket.take(TEN, SECOND)})
                .containsExactly(2, 1, 0);
    }

    @Test
    void anEmptyBucketSaysHowLongToWait() {
        TokenBucket bucket = emptyAt(SECOND);
        assertThat(bucket.take(TEN, SECOND + 40 * MS)).isEqualTo(-60 * MS);
    }

    @Test
    void aPermitIsBackExactlyAfterItsInterval() {
        assertThat(emptyAt(SECOND).take(TEN, SECOND + 100 * MS - 1)).isEqualTo(-1);
        assertThat(emptyAt(SECOND).take(TEN, SECOND + 100 * MS)).isZero();
        assertThat(emptyAt(SECOND).take(TEN, SECOND + 100 * MS + 1)).isZero();
    }

    @Test
    void aRefusalCostsNothing() {
        TokenBucket bucket = emptyAt(SECOND);
        for (int i = 0; i < 100; i++) {
            bucket.take(TEN, SECOND);
        }
        assertThat(bucket.take(TEN, SECOND + 100 * MS)).isZero();
    }

    @Test
    void aPermitThatWasGivenBackCanBeTakenAgain() {
        TokenBucket bucket = new TokenBucket(0);
        bucket.take(TEN, 3, SECOND);
        bucket.refund(TEN, 1, SECOND, 0, () -> SECOND + 1);
        assertThat(bucket.take(TEN, SECOND + 1)).isZero();
    }

    @Test
    void aPermitThatMayHaveComeBackByItselfIsNotGivenTwice() {
        TokenBucket bucket = new TokenBucket(0);
        long left = bucket.take(TEN, SECOND);
        long later = SECOND + 100 * MS;
        bucket.take(TEN, later);
        bucket.refund(TEN, 1, SECOND, left, () -> later);
        assertThat(bucket.take(TEN, later)).isEqualTo(1);
    }

    @Test
    void aPermitThatCameBackWhileAThreadWasHeldUpIsNotGivenTwice() {
        TokenRate rate = TokenRate.of(1, 100, 1);
        TokenBucket bucket = new TokenBucket(0);
        bucket.take(rate, 0);
        AtomicInteger reads = new AtomicInteger();
        bucket.refund(rate, 1, 0, 0, () -> {
            if (reads.getAndIncrement() > 0) {
                return 101;
            }
            // while this thread is held up, the permit is refilled and another thread takes it
            bucket.take(rate, 100);
            return 99;
        });
        assertThat(bucket.take(rate, 101)).isNegative();
    }

    @Test
    void onlyAFullBucketIsForgotten() {
        TokenBucket bucket = new TokenBucket(0);
        bucket.take(TEN, SECOND);
        assertThat(bucket.removeIfIdle(SECOND + 100 * MS - 1)).isFalse();
        assertThat(bucket.removeIfIdle(SECOND + 100 * MS)).isTrue();
        assertThat(bucket.take(TEN, 2 * SECOND)).isEqualTo(Limiter.REMOVED);
    }

    @Test
    void anUnsettledBucketIsSettledOnce() {
        TokenBucket bucket = new TokenBucket();
        assertThat(bucket.take(TEN, SECOND)).isEqualTo(Limiter.UNSETTLED);
        bucket.settle(TEN, true, SECOND);
        bucket.settle(TEN, false, 0);
        assertThat(bucket.take(TEN, SECOND)).isNegative();
    }

    @Test
    void aRateOfNothingGivesNothing() {
        assertThat(new TokenBucket(0).take(TokenRate.perSecond(0), SECOND)).isEqualTo(Limiter.NEVER);
    }

    @Test
    void aRateIsNeverFasterThanAsked() {
        TokenRate third = TokenRate.of(3, SECOND, 1);
        assertThat(third.interval() * 3).isGreaterThanOrEqualTo(SECOND);
    }

    @Test
    void aHugeBurstAtASlowRateDoesNotOverflow() {
        TokenRate slow = TokenRate.of(1, 7 * 86_400 * SECOND, Long.MAX_VALUE);
        TokenBucket bucket = new TokenBucket(0);
        assertThat(bucket.take(slow, SECOND)).isNotNegative();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN})
    void aRateThatIsNoRateIsRefused(double permits) {
        assertThatThrownBy(() -> TokenRate.of(permits, SECOND, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noIntervalHoldsMoreThanBurstAndRateOfOneThreadAtRandomTimes(long seed) {
        Random random = new Random(seed);
        TokenRate rate = TokenRate.of(1 + random.nextInt(1000), SECOND, 1 + random.nextInt(50));
        TokenBucket bucket = new TokenBucket(0);
        List<Long> admitted = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 100_000; i++) {
            now += random.nextInt(10) == 0 ? random.nextInt(200_000_000) : random.nextInt(100_000);
            long left = bucket.take(rate, now);
            if (left >= 0) {
                if (random.nextInt(10) == 0) {
                    long later = now + random.nextInt(1_000_000);
                    bucket.refund(rate, 1, now, left, () -> later);
                } else {
                    admitted.add(now);
                }
            }
        }
        assertThat(admitted).hasSizeGreaterThan(100);
        Bounds.bucket(admitted.stream().mapToLong(it -> it).toArray(), rate);
    }

    @Test
    void whatCameBackByItselfMeanwhileIsNotGivenBackToo() {
        TokenRate rate = TokenRate.of(10, SECOND, 5);
        TokenBucket bucket = new TokenBucket(0);
        long taken = SECOND;
        long later = taken + 90_000_000;
        long left = bucket.take(rate, taken);
        bucket.take(rate, later);

        bucket.refund(rate, 1, taken, left, () -> later);

        for (int rest = 0; rest < 4; rest++) {
            assertThat(bucket.take(rate, later)).isNotNegative();
        }
        assertThat(bucket.take(rate, later + 99_999_999)).isNegative();
        assertThat(bucket.take(rate, later + 100_000_000)).isNotNegative();
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void noIntervalHoldsMoreThanBurstAndRateOfManyThreads(long seed) throws InterruptedException {
        TokenRate rate = TokenRate.of(20_000, SECOND, 7);
        TokenBucket bucket = new TokenBucket(0);
        long origin = System.nanoTime();
        int threads = 6;
        long[][] admitted = new long[threads][];
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int mine = t;
            Random random = new Random(seed * 100 + t);
            Thread thread = new Thread(() -> {
                await(start);
                long[] times = new long[50_000];
                int count = 0;
                for (int i = 0; i < 50_000; i++) {
                    long now = System.nanoTime() - origin;
                    long left = bucket.take(rate, now);
                    if (left >= 0) {
                        if (random.nextInt(4) == 0) {
                            bucket.refund(rate, 1, now, left, () -> System.nanoTime() - origin);
                        } else {
                            times[count++] = now;
                        }
                    }
                }
                admitted[mine] = Arrays.copyOf(times, count);
            });
            thread.start();
            running.add(thread);
        }
        start.countDown();
        for (Thread thread : running) {
            thread.join();
        }
        long[] all =
                Arrays.stream(admitted).flatMapToLong(Arrays::stream).sorted().toArray();
        assertThat(all.length).isGreaterThan(7);
        Bounds.bucket(all, rate);
    }

    private static TokenBucket emptyAt(long now) {
        return new TokenBucket(now + TEN.tolerance());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
