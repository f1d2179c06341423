package io.sluice.agent.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Permits that turn out to be fewer or more than those that were taken. */
final class SettledPermitsTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;
    private static final long DAY = 86_400 * SECOND;
    // one permit each 10 ms, a hundred at once
    private static final TokenRate HUNDRED = TokenRate.of(100, SECOND, 100);
    private static final TokenRate TEN = TokenRate.of(10, SECOND, 10);

    @Test
    void refund_whileTheBucketCannotHaveBeenFull_returnsAllThatWasUnused() {
        TokenBucket bucket = new TokenBucket(0);
        bucket.take(HUNDRED, 50, SECOND);
        long left = bucket.take(HUNDRED, 50, SECOND);

        // 200 ms later, 20 have returned by themselves, and the bucket is still far from full
        bucket.refund(HUNDRED, 40, SECOND, left, () -> SECOND + 200 * MS);

        assertThat(bucket.take(HUNDRED, 60, SECOND + 200 * MS)).isZero();
    }

    @Test
    void refund_afterTheBucketMayHaveBeenFull_returnsNothing() {
        TokenBucket bucket = new TokenBucket(0);
        long left = bucket.take(HUNDRED, 50, SECOND);
        long later = SECOND + 500 * MS;
        bucket.take(HUNDRED, 100, later);

        bucket.refund(HUNDRED, 40, SECOND, left, () -> later);

        assertThat(bucket.take(HUNDRED, later)).isNegative();
    }

    @Test
    void refund_afterTheRateHasFallen_returnsAllAtTheRateInForce() {
        TokenBucket bucket = new TokenBucket(0);
        long left = bucket.take(HUNDRED, 100, SECOND);
        assertThat(bucket.take(TEN, SECOND)).isNegative();

        bucket.refund(HUNDRED, 60, SECOND, left, () -> SECOND);

        // of 100 permits 40 were used, and each takes 100 ms now
        assertThat(bucket.idleFrom()).isEqualTo(5 * SECOND);
    }

    @Test
    void refund_afterTheRateHasRisen_returnsWhatCannotHaveReturnedAtTheFasterRate() {
        TokenBucket bucket = new TokenBucket(0);
        long left = bucket.take(TEN, 10, SECOND);
        assertThat(bucket.take(HUNDRED, SECOND)).isNotNegative();

        bucket.refund(TEN, 10, SECOND, left, () -> SECOND + 50 * MS);

        // 5 of 11 have returned by themselves, 5 are refunded
        assertThat(bucket.idleFrom()).isEqualTo(SECOND + 60 * MS);
    }

    @Test
    void refund_ofAFixedWindowWhoseLengthHasChanged_returnsWhatWasCarriedOver() {
        WindowRate second = new WindowRate(10, SECOND);
        WindowRate minute = new WindowRate(20, 60 * SECOND);
        for (long later : new long[] {SECOND + 200 * MS, 3 * SECOND}) {
            boolean carried = later < 2 * SECOND;
            FixedWindowLimiter limiter = new FixedWindowLimiter();
            limiter.settle(second, false, 0);
            long left = limiter.take(second, 10, SECOND + 100 * MS);
            assertThat(limiter.take(minute, 10, later)).isEqualTo(carried ? 0 : 10);

            limiter.refund(second, 10, SECOND + 100 * MS, left, () -> later);

            assertThat(limiter.take(minute, 10, later)).isZero();
            assertThat(limiter.take(minute, later)).isNegative();
        }
    }

    @Test
    void refund_thatMeetsAChangeOfTheRate_returnsAllAtTheNewOne() {
        TokenBucket bucket = new TokenBucket(0);
        long left = bucket.take(HUNDRED, 100, SECOND);

        bucket.refund(HUNDRED, 60, SECOND, left, () -> {
            bucket.take(TEN, SECOND);
            return SECOND;
        });

        assertThat(bucket.idleFrom()).isEqualTo(5 * SECOND);
    }

    @Test
    void refund_thatMeetsAChangeOfAFixedWindow_returnsAllInTheNewOne() {
        WindowRate second = new WindowRate(10, SECOND);
        WindowRate minute = new WindowRate(20, 60 * SECOND);
        WindowRate hour = new WindowRate(30, 3600 * SECOND);
        FixedWindowLimiter limiter = new FixedWindowLimiter();
        limiter.settle(second, false, 0);
        long left = limiter.take(second, 10, SECOND);
        assertThat(limiter.take(minute, SECOND)).isEqualTo(9);

        limiter.refund(second, 10, SECOND, left, () -> {
            // more than is left: changes the window only
            assertThat(limiter.take(hour, 30, SECOND)).isNegative();
            return SECOND;
        });

        assertThat(limiter.take(hour, 29, SECOND)).isZero();
    }

    @Test
    void refunds_whileThreadsDisagreeOnTheRate_areNotLost() throws Exception {
        TokenBucket bucket = new TokenBucket(0);

        takeAndRefund(bucket, HUNDRED, TokenRate.of(100, SECOND, 50));

        assertThat(bucket.idleFrom()).isEqualTo(SECOND);
    }

    @Test
    void refunds_whileThreadsDisagreeOnAFixedWindow_areNotLost() throws Exception {
        WindowRate rate = new WindowRate(100, SECOND);
        FixedWindowLimiter limiter = new FixedWindowLimiter();
        limiter.settle(rate, false, 0);

        takeAndRefund(limiter, rate, new WindowRate(50, SECOND));

        assertThat(limiter.take(rate, 100, SECOND)).isZero();
    }

    /** Four threads take a permit and return it, again and again, each time under the other limit. */
    private static <T extends LimiterConfig> void takeAndRefund(Limiter<T> limiter, T one, T other) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Void>> callers = new ArrayList<>();
            for (int caller = 0; caller < 4; caller++) {
                int first = caller;
                callers.add(() -> {
                    for (int i = first; i < first + 5_000; i++) {
                        T rate = i % 2 == 0 ? one : other;
                        long left = limiter.take(rate, SECOND);
                        assertThat(left).isNotNegative();
                        limiter.refund(rate, 1, SECOND, left, () -> SECOND);
                    }
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(callers)) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static final class Use {
        final long time;
        long permits;

        Use(long time, long permits) {
            this.time = time;
            this.permits = permits;
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(2, 8));
    }

    /** Reservations at random times, settled at later random times: what was really used never exceeds burst plus rate times span, in any span. */
    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void tokenBucket_settledAtRandom_boundsWhatWasUsed(long seed) {
        Random random = new Random(seed);
        TokenBucket bucket = new TokenBucket(0);
        List<Use> uses = new ArrayList<>();
        List<Runnable> open = new ArrayList<>();
        AtomicLong clock = new AtomicLong(SECOND);
        for (int i = 0; i < 3_000; i++) {
            long now = clock.addAndGet(random.nextInt(4) == 0 ? random.nextInt(900) * MS : random.nextInt(20) * MS);
            long permits = 1L + random.nextInt(60);
            long left = bucket.take(HUNDRED, permits, now);
            if (left >= 0) {
                Use use = new Use(now, permits);
                uses.add(use);
                open.add(() -> {
                    long unused = random.nextInt((int) permits + 1);
                    use.permits -= unused;
                    bucket.refund(HUNDRED, unused, now, left, clock::get);
                });
            }
            if (!open.isEmpty() && random.nextBoolean()) {
                open.remove(random.nextInt(open.size())).run();
            }
        }
        assertThat(uses).hasSizeGreaterThan(200);
        for (int from = 0; from < uses.size(); from++) {
            long used = 0;
            for (int to = from; to < uses.size(); to++) {
                used += uses.get(to).permits;
                long span = uses.get(to).time - uses.get(from).time;
                assertThat(used).as("%d to %d", from, to).isLessThanOrEqualTo(100 + span / (10 * MS));
            }
        }
    }

    /** Two threads reserve and settle while the clock stands still: exactly what was used is missing. */
    @Test
    void tokenBucket_settledByManyThreads_losesAndInventsNothing() throws Exception {
        TokenRate million = TokenRate.of(1, SECOND, 1_000_000);
        TokenBucket bucket = new TokenBucket(0);
        Callable<Long> settling = () -> {
            Random random = new Random(Thread.currentThread().getId());
            long used = 0;
            for (int i = 0; i < 20_000; i++) {
                long permits = 1L + random.nextInt(30);
                long left = bucket.take(million, permits, SECOND);
                if (left >= 0) {
                    long actual = random.nextInt(60);
                    if (actual < permits) {
                        bucket.refund(million, permits - actual, SECOND, left, () -> SECOND);
                    } else if (actual > permits) {
                        bucket.charge(million, actual - permits, SECOND);
                    }
                    used += actual;
                }
            }
            return used;
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            long used = 0;
            for (Future<Long> each : threads.invokeAll(List.of(settling, settling))) {
                used += each.get();
            }
            long after = SECOND + Math.max(0, used - 1_000_000 + 1) * SECOND;
            assertThat(used).isGreaterThan(900_000);
            assertThat(bucket.idleFrom()).isEqualTo(SECOND + used * SECOND);
            assertThat(bucket.take(million, after)).isNotNegative();
        } finally {
            threads.shutdown();
        }
    }

    /** Five more than ten at once and ten a second were used: none is left, and the next comes when the five have returned as well. */
    @ParameterizedTest
    @EnumSource(names = "CONCURRENCY", mode = EnumSource.Mode.EXCLUDE)
    void charge_beyondTheLimit_delaysTheNextPermit(Kind kind) {
        Kind.Trial<LimiterConfig> trial = kind.since(0);
        assertThat(trial.takeAll(10 * SECOND)).isEqualTo(10);

        assertThat(trial.limiter.charge(trial.terms, 5, 10 * SECOND)).isTrue();

        long wait = -trial.take(1, 10 * SECOND);
        assertThat(wait).isPositive();
        assertThat(trial.take(1, 10 * SECOND + wait - 1)).isNegative();
        assertThat(trial.take(1, 10 * SECOND + wait)).isNotNegative();
        assertThat(wait)
                .isEqualTo(
                        switch (kind) {
                            case TOKEN_BUCKET, LEAKY_BUCKET -> 600 * MS;
                            case SLIDING_LOG, FIXED_WINDOW -> SECOND;
                            case SLIDING_WINDOW -> SECOND + 100 * MS;
                            case CONCURRENCY -> 0;
                        });
    }

    @ParameterizedTest
    @EnumSource(names = "CONCURRENCY", mode = EnumSource.Mode.EXCLUDE)
    void charge_absurdlyMuch_isForgivenWithinADay(Kind kind) {
        Kind.Trial<LimiterConfig> trial = kind.since(0);
        for (int i = 0; i < 5; i++) {
            assertThat(trial.limiter.charge(trial.terms, Long.MAX_VALUE, 10 * SECOND))
                    .isTrue();
        }

        assertThat(trial.take(1, 10 * SECOND)).isNegative();
        assertThat(trial.take(10, (86_400 + 20) * SECOND)).isNotNegative();
    }

    /** A bucket that holds a month's permits has room for more than a day's. */
    @Test
    void charge_ofMoreThanADaysPermits_takesThemFromTheBucket() {
        TokenRate monthly = TokenRate.of(100_000, DAY, 3_000_000);
        TokenBucket bucket = new TokenBucket(0);

        bucket.charge(monthly, 500_000, SECOND);

        assertThat(bucket.take(monthly, 2_500_000, SECOND)).isZero();
    }

    @Test
    void charge_beyondADailyQuota_delaysTheNextPermitUntilItIsPaid() {
        TokenRate daily = TokenRate.of(100_000, DAY, 100_000);
        TokenBucket bucket = new TokenBucket(0);

        bucket.charge(daily, 150_000, SECOND);

        assertThat(bucket.take(daily, SECOND)).isEqualTo(-(DAY / 2 + daily.interval()));
    }

    @Test
    void charge_ofARateBelowOnePerDay_takesWholePermits() {
        TokenRate rare = TokenRate.of(0.1, DAY, 3);
        TokenBucket bucket = new TokenBucket(0);

        bucket.charge(rare, 2, SECOND);

        assertThat(bucket.take(rare, SECOND)).isZero();
        assertThat(bucket.take(rare, SECOND)).isEqualTo(-10 * DAY);
    }

    @Test
    void charge_ofALeakyBucketBelowOnePerDay_takesAWholeTurn() {
        Pace rare = new Pace(2 * DAY, 0);
        LeakyBucket bucket = new LeakyBucket();
        bucket.settle(rare, false, 0);

        bucket.charge(rare, 1, SECOND);

        assertThat(bucket.take(rare, SECOND)).isEqualTo(-2 * DAY);
    }

    @ParameterizedTest
    @EnumSource(names = "CONCURRENCY", mode = EnumSource.Mode.EXCLUDE)
    void nextPermit_isWhatARefusedTakeSays_andChangesNothing(Kind kind) {
        Kind.Trial<LimiterConfig> trial = kind.since(0);
        assertThat(trial.limiter.nextPermit(trial.terms, 10 * SECOND)).isZero();
        trial.takeAll(10 * SECOND);

        long next = trial.limiter.nextPermit(trial.terms, 10 * SECOND);

        assertThat(next).isPositive().isEqualTo(-trial.take(1, 10 * SECOND));
        assertThat(trial.limiter.nextPermit(trial.terms, 10 * SECOND + next)).isZero();
        assertThat(trial.take(1, 10 * SECOND + next)).isNotNegative();
    }

    @Test
    void charge_ofAWarmingBucket_takesMoreThanADaysPermits() {
        WarmUpRate monthly = WarmUpRate.of(100_000, DAY, SECOND, 3_000_000);
        WarmUpLimiter limiter = new WarmUpLimiter(monthly, 0);

        limiter.charge(monthly, 500_000, DAY);

        assertThat(limiter.take(monthly, 2_600_000, DAY)).isNegative();
        assertThat(limiter.take(monthly, 2_400_000, DAY)).isNotNegative();
    }

    @ParameterizedTest
    @EnumSource(names = "CONCURRENCY", mode = EnumSource.Mode.EXCLUDE)
    void charge_ofARemovedLimiter_isRefused(Kind kind) {
        Kind.Trial<LimiterConfig> trial = kind.since(0);
        assertThat(trial.limiter.removeIfIdle(100 * SECOND)).isTrue();
        assertThat(trial.limiter.charge(trial.terms, 1, 100 * SECOND)).isFalse();
    }

    /** A charge under a configuration that has been replaced counts under the one in force, and leaves it in force. */
    @Test
    void charge_underAFormerRate_keepsTheRateInForce() {
        TokenBucket bucket = new TokenBucket(0);
        bucket.take(HUNDRED, SECOND);
        TokenRate slow = TokenRate.of(1, SECOND, 10);
        assertThat(bucket.take(slow, 9, 2 * SECOND)).isEqualTo(1);

        bucket.charge(HUNDRED, 3, 2 * SECOND);

        assertThat(bucket.idleFrom()).isEqualTo(14 * SECOND);
        assertThat(bucket.take(slow, 2 * SECOND)).isEqualTo(-3 * SECOND);
    }
}
