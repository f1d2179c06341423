package io.sluice.agent.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The warm-up against its closed form: the integral of an interval that falls from three times the warm one to the warm one. */
final class WarmUpLimiterTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = 100 * SECOND;
    /** 10 permits a second once warm, after 10 s: 100 stored permits, of which 50 take longer. */
    private static final WarmUpRate RATE = WarmUpRate.of(10, SECOND, 10 * SECOND, 1);

    /** Returns when a caller that always waits as advised gets each of so many permits. */
    private static long[] saturated(WarmUpLimiter limiter, WarmUpRate rate, int permits, long from) {
        long[] times = new long[permits];
        long now = from;
        for (int i = 0; i < permits; i++) {
            long answer = limiter.take(rate, now);
            while (answer < 0) {
                now -= answer;
                answer = limiter.take(rate, now);
            }
            times[i] = now;
        }
        return times;
    }

    /** The closed form: nanoseconds that the first permits of a cold limiter take. */
    private static double coldTime(WarmUpRate rate, double permits) {
        double slow = rate.warmUp() / 2.0 / rate.interval();
        return permits <= slow
                ? rate.interval() * permits * (3 - permits / slow)
                : rate.warmUp() + (permits - slow) * rate.interval();
    }

    @Test
    @Tag(Seeds.TAG)
    void saturatedFromCold_followsTheClosedForm() {
        for (long seed = 1; seed <= Seeds.of(30, 500); seed++) {
            Random random = new Random(seed);
            long interval = 1000L + random.nextInt(50_000_000);
            long warmUp = interval * (2 + random.nextInt(300)) + random.nextInt(1000);
            long burst = 1L + random.nextInt(random.nextBoolean() ? 1 : 50);
            WarmUpRate rate = new WarmUpRate(interval, warmUp, burst);
            long[] times = saturated(new WarmUpLimiter(rate, START), rate, 500, START);
            for (int i = 0; i < times.length; i++) {
                double expected = Math.max(0, coldTime(rate, i) - (burst - 1) * interval);
                assertThat((double) (times[i] - START))
                        .as("seed %d, permit %d", seed, i)
                        .isCloseTo(expected, within(i + 1.0));
            }
        }
    }

    @Test
    @Tag(Seeds.TAG)
    void idleTimes_coolByOnePermitForEachInterval() {
        for (long seed = 1; seed <= Seeds.of(20, 300); seed++) {
            Random random = new Random(seed);
            WarmUpLimiter limiter = new WarmUpLimiter(RATE, START);
            double stored = 100;
            double next = START;
            long now = START;
            for (int i = 0; i < 300; i++) {
                long answer = limiter.take(RATE, now);
                if (answer < 0) {
                    assertThat((double) -answer).as("seed %d", seed).isCloseTo(next - now, within(400.0));
                    now -= answer;
                    assertThat(limiter.take(RATE, now)).isNotNegative();
                }
                stored = Math.min(100, stored + Math.max(0, now - next) / RATE.interval());
                next = Math.max(next, (double) now) + integral(stored);
                stored = Math.max(0, stored - 1);
                now += random.nextInt(8) == 0 ? random.nextInt(2_000_000_000) : random.nextInt(150_000_000);
            }
        }
    }

    /** The time of one permit, summed up in a thousand steps. */
    private static double integral(double stored) {
        double sum = 0;
        for (int step = 0; step < 1000; step++) {
            double at = stored - (step + 0.5) / 1000;
            sum += RATE.interval() * (1 + 2 * Math.max(0, at - 50) / 50) / 1000;
        }
        return sum;
    }

    @Test
    void coldLimiter_startsAtAThirdOfTheRateAndReachesTheWholeAfterTheWarmUp() {
        long[] times = saturated(new WarmUpLimiter(RATE, START), RATE, 200, START);

        assertThat(times[1] - START).isBetween(SECOND * 29 / 100, SECOND * 30 / 100);
        assertThat(times[50] - START).isCloseTo(10 * SECOND, within(100L));
        assertThat(times[151] - times[150]).isEqualTo(SECOND / 10);
    }

    @Test
    void warmLimiter_idleForTheWarmUp_isColdAgain() {
        WarmUpLimiter limiter = new WarmUpLimiter(RATE, START);
        long[] warm = saturated(limiter, RATE, 200, START);
        long idle = warm[199] + SECOND / 10 + RATE.warmUp();

        assertThat(limiter.isIdle(idle - 1000)).isFalse();
        assertThat(limiter.isIdle(idle)).isTrue();
        long[] again = saturated(limiter, RATE, 2, idle);
        assertThat(again[1] - again[0]).isBetween(SECOND * 29 / 100, SECOND * 30 / 100);
    }

    @Test
    void burst_ofAColdLimiter_isAThirdOfTheWarmOne() {
        WarmUpRate rate = WarmUpRate.of(100, SECOND, 60 * SECOND, 100);
        WarmUpLimiter limiter = new WarmUpLimiter(rate, START);
        int cold = 0;
        while (limiter.take(rate, START) >= 0) {
            cold++;
        }
        saturated(limiter, rate, 5000, START);
        long now = START + 200 * SECOND;

        assertThat(cold).isBetween(33, 35);
        assertThat(limiter.take(rate, 101, now)).isEqualTo(Limiter.NEVER);
    }

    @Test
    void takeOfSeveral_coldExcessDelaysTheNext() {
        WarmUpRate rate = WarmUpRate.of(10, SECOND, 10 * SECOND, 10);
        WarmUpLimiter limiter = new WarmUpLimiter(rate, START);

        assertThat(limiter.take(rate, 10, START)).isNotNegative();
        double expected = coldTime(rate, 10) - 9 * rate.interval();
        assertThat((double) -limiter.take(rate, START)).isCloseTo(expected, within(20.0));
    }

    @Test
    void remaining_isWhatCanBeTakenAtOnce() {
        WarmUpRate rate = WarmUpRate.of(10, SECOND, 10 * SECOND, 30);
        WarmUpLimiter limiter = new WarmUpLimiter(rate, START);
        long left = limiter.take(rate, START);
        for (long i = 0; i < left; i++) {
            assertThat(limiter.take(rate, START)).as("of %d", left).isNotNegative();
        }
    }

    @Test
    void refund_ofAPermitThatDelaysOthers_isReturnedOnce() {
        WarmUpLimiter limiter = new WarmUpLimiter(RATE, START);
        long taken = limiter.take(RATE, START);
        limiter.refund(RATE, 1, START, taken, () -> START);

        assertThat(limiter.take(RATE, START + SECOND / 5)).isNotNegative();
        limiter.refund(RATE, 1, START, taken, () -> START + 60 * SECOND);
        assertThat(limiter.take(RATE, START + 60 * SECOND)).isNotNegative();
        assertThat(limiter.take(RATE, START + 60 * SECOND)).isNegative();
    }

    @Test
    void changedRate_keepsItsPartOfTheWarmUp() {
        WarmUpLimiter limiter = new WarmUpLimiter(RATE, START);
        long[] warm = saturated(limiter, RATE, 150, START);
        WarmUpRate twice = WarmUpRate.of(20, SECOND, 10 * SECOND, 1);
        long[] faster = saturated(limiter, twice, 3, warm[149] + 1);

        assertThat(faster[2] - faster[1]).isEqualTo(SECOND / 20);
    }

    @Test
    void refund_afterAChange_returnsPermitsAtTheRateInForce() {
        WarmUpRate twice = WarmUpRate.of(20, SECOND, 10 * SECOND, 1);
        WarmUpLimiter limiter = new WarmUpLimiter(RATE, START);
        limiter.charge(RATE, 50, START);
        limiter.charge(twice, 1, START);
        long wait = -limiter.take(twice, START);

        limiter.refund(RATE, 50, START, 0, () -> START);

        long after = wait - 50 * twice.interval();
        assertThat(limiter.take(twice, START)).isEqualTo(-after);
        // one permit of the store is missing: the charge under the rate in force
        assertThat(limiter.idleFrom() - START - after).isCloseTo(twice.interval(), within(1L));
    }

    @Test
    void charge_beyondTheLimit_delaysByADayAtMost() {
        WarmUpLimiter limiter = new WarmUpLimiter(RATE, START);
        assertThat(limiter.charge(RATE, Long.MAX_VALUE / 1000, START)).isTrue();

        assertThat(limiter.take(RATE, START)).isEqualTo(-86_400 * SECOND);
    }

    @Test
    void burstThatRefillsInMoreThanALifetime_isNotTakenAtOnce() {
        // 200,000 permits take 547 years
        WarmUpRate rate = WarmUpRate.of(1, 86_400 * SECOND, SECOND, 1_000_000);
        WarmUpLimiter limiter = new WarmUpLimiter(rate, START);

        assertThat(limiter.take(rate, 200_000, START)).isEqualTo(Limiter.NEVER);
        assertThat(limiter.take(rate, rate.maxPermits(), START)).isNotNegative();
        assertThat(limiter.take(rate, 1, START)).isNegative().isGreaterThanOrEqualTo(-3 * 86_400 * SECOND);
    }

    @Test
    void refund_ofMorePermitsThanALifetimeGives_returnsWhatIsMissing() {
        WarmUpRate rate = WarmUpRate.of(1, 86_400 * SECOND, SECOND, 10);
        WarmUpLimiter limiter = new WarmUpLimiter(rate, START);
        limiter.charge(rate, 200_000, START);
        limiter.refund(rate, 200_000, START, 0, () -> START);

        assertThat(limiter.take(rate, START)).isNotNegative();
    }

    @Test
    void removal_ofAnIdleLimiterOnly() {
        WarmUpLimiter limiter = new WarmUpLimiter(RATE, START);
        limiter.take(RATE, START);

        assertThat(limiter.removeIfIdle(START)).isFalse();
        assertThat(limiter.removeIfIdle(START + 11 * SECOND)).isTrue();
        assertThat(limiter.removed()).isTrue();
        assertThat(limiter.take(RATE, START + 11 * SECOND)).isEqualTo(Limiter.REMOVED);
        assertThat(limiter.charge(RATE, 1, START + 11 * SECOND)).isFalse();
    }

    @Test
    void manyThreads_getNoMoreThanTheClosedForm() throws Exception {
        WarmUpRate rate = WarmUpRate.of(1000, SECOND, SECOND, 1);
        WarmUpLimiter limiter = new WarmUpLimiter(rate, 0);
        AtomicLong clock = new AtomicLong();
        AtomicLong admitted = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Void>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(() -> {
                    for (int turn = 0; turn < 50_000; turn++) {
                        if (limiter.take(rate, clock.addAndGet(10_000)) >= 0) {
                            admitted.incrementAndGet();
                        }
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

        // 2 s: 500 permits in the first, 1000 in the second
        assertThat(admitted.get()).isBetween(1400L, 1502L);
    }
}
