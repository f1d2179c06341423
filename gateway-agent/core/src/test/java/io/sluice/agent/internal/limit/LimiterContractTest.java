package io.sluice.agent.internal.limit;

import static io.sluice.agent.internal.limit.Kind.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds of every limiter. */
final class LimiterContractTest {
    private static final long START = 7 * SECOND;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @EnumSource
    void whileTimeStandsStillItGivesAllItHasAndNoMore(Kind kind) {
        Kind.Trial<LimiterConfig> trial = kind.since(START);
        assertThat(trial.takeAll(START)).isEqualTo(10);
        assertThat(trial.takeAll(START)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void timeZeroIsATimeLikeOthers(Kind kind) {
        assertThat(kind.since(0).takeAll(0)).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    void closeToTheLatestTimeItGivesAllItHasAndNoMore(Kind kind) {
        long now = Limiter.LATEST;
        Kind.Trial<LimiterConfig> trial = kind.since(now - 3 * SECOND);
        assertThat(trial.takeAll(now - 3 * SECOND)).isEqualTo(10);
        assertThat(trial.takeAll(now - 3 * SECOND)).isZero();
        if (!kind.untimed()) {
            assertThat(trial.takeAll(now)).isEqualTo(10);
        }
        assertThat(trial.take(1, now)).isBetween(-2 * SECOND, -1L);
    }

    @ParameterizedTest
    @EnumSource
    void severalPermitsComeAllOrNone(Kind kind) {
        Kind.Trial<LimiterConfig> trial = kind.since(START);
        assertThat(trial.take(7, START)).isNotNegative();
        assertThat(trial.take(4, START)).isNegative();
        assertThat(trial.take(3, START)).isNotNegative();
        assertThat(trial.take(1, START)).isNegative();
    }

    @ParameterizedTest
    @EnumSource
    void allAtOnceAreGivenButNeverMore(Kind kind) {
        assertThat(kind.since(START).take(9, START)).isNotNegative();
        assertThat(kind.since(START).take(10, START)).isNotNegative();
        assertThat(kind.since(START).take(11, START)).isEqualTo(Limiter.NEVER);
        assertThat(kind.since(START).take(Long.MAX_VALUE, START)).isEqualTo(Limiter.NEVER);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsAskedInVainCostsNothing(Kind kind) {
        Kind.Trial<LimiterConfig> trial = kind.since(START);
        trial.take(11, START);
        trial.take(Long.MAX_VALUE, START);
        assertThat(trial.takeAll(START)).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsGivenBackTwiceOverByWhatCantBeGivenBack(Kind kind) {
        Kind.Trial<LimiterConfig> trial = kind.since(START);
        trial.take(4, START);
        long taken = trial.take(3, START);
        trial.refund(3, START, taken);
        boolean refunds = kind != Kind.SLIDING_LOG && kind != Kind.SLIDING_WINDOW;
        assertThat(trial.takeAll(START)).isEqualTo(refunds ? 6 : 3);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONCURRENCY")
    void whoWaitsExactlyAsLongAsToldIsAdmittedAndNotANanosecondEarlier(Kind kind) {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            Kind.Trial<LimiterConfig> trial = kind.since(START);
            long now = START + random.nextInt(2_000_000_000);
            for (int i = 0; i < 50; i++) {
                int permits = 1 + random.nextInt(random.nextBoolean() ? 1 : 10);
                long answer = trial.take(permits, now);
                if (answer < 0) {
                    assertThat(trial.take(permits, now - answer - 1)).isEqualTo(-1);
                    now -= answer;
                    assertThat(trial.take(permits, now))
                            .as("seed %d, %s permits", seed, permits)
                            .isNotNegative();
                }
                now += random.nextInt(4) == 0 ? 0 : random.nextInt(100_000_000);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONCURRENCY")
    void itHoldsItsBoundWheneverOneAsks(Kind kind) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            Kind.Trial<LimiterConfig> trial = kind.since(0);
            List<Long> times = new ArrayList<>();
            long now = 0;
            for (int i = 0; i < 20_000; i++) {
                now += random.nextInt(20) == 0 ? random.nextInt(1_500_000_000) : random.nextInt(30_000_000);
                int permits = 1 + (random.nextInt(5) == 0 ? random.nextInt(3) : 0);
                long answer = trial.take(permits, now);
                for (int p = permits - 1; answer >= 0 && p >= 0; p--) {
                    // several turns are used together, when the last of them has come
                    times.add(kind == Kind.LEAKY_BUCKET ? now + answer - p * SECOND / 10 : now);
                }
            }
            kind.assertBound(times.stream().mapToLong(it -> it).toArray());
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"CONCURRENCY", "FIXED_WINDOW"})
    void itHoldsItsBoundWhenTimesComeOutOfOrder(Kind kind) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            Kind.Trial<LimiterConfig> trial = kind.since(0);
            List<Long> times = new ArrayList<>();
            long newest = SECOND;
            for (int i = 0; i < 20_000; i++) {
                newest += random.nextInt(20) == 0 ? random.nextInt(1_500_000_000) : random.nextInt(30_000_000);
                long now = newest - random.nextInt(100_000_000);
                long answer = trial.take(1, now);
                if (answer >= 0) {
                    times.add(kind == Kind.LEAKY_BUCKET ? now + answer : now);
                }
            }
            kind.assertBound(times.stream().mapToLong(it -> it).sorted().toArray());
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyAnIdleOneIsForgottenAndSaysSo(Kind kind) {
        Kind.Trial<LimiterConfig> trial = kind.since(START);
        long taken = trial.take(1, START);
        assertThat(trial.limiter.removeIfIdle(START)).isFalse();
        assertThat(trial.limiter.removed()).isFalse();
        if (kind.untimed()) {
            trial.refund(1, START, taken);
        }
        assertThat(trial.limiter.removeIfIdle(START + 3 * SECOND)).isTrue();
        assertThat(trial.limiter.removeIfIdle(START + 3 * SECOND)).isFalse();
        assertThat(trial.limiter.removed()).isTrue();
        assertThat(trial.take(1, START + 3 * SECOND)).isEqualTo(Limiter.REMOVED);
    }

    @ParameterizedTest
    @EnumSource
    void oneThatIsForgottenGivesNoMoreThanOneThatIsNot(Kind kind) {
        for (long seed = 1; seed <= 100; seed++) {
            Random random = new Random(seed);
            Kind.Trial<LimiterConfig> kept = kind.since(START);
            Kind.Trial<LimiterConfig> swept = kind.since(START);
            long now = START;
            for (int i = 0; i < 300; i++) {
                now += random.nextInt(4) == 0 ? random.nextInt(2_000_000_000) : random.nextInt(100_000_000);
                if (random.nextInt(3) == 0 && swept.limiter.removeIfIdle(now)) {
                    swept = kind.since(now);
                }
                assertThat(swept.take(1, now) >= 0).as("seed %d", seed).isEqualTo(kept.take(1, now) >= 0);
                if (kind.untimed()
                        && random.nextBoolean()
                        && ((ConcurrencyLimiter) (Limiter<?>) kept.limiter).inFlight() > 0) {
                    kept.refund(1, now, 0);
                    swept.refund(1, now, 0);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCheckAllocatesNothing(Kind kind) {
        Kind.Trial<LimiterConfig> trial = kind.since(0);
        long now = 0;
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < 50_000; i++) {
                now += i % 3 == 0 ? 0 : SECOND / 15;
                long taken = trial.take(1, now);
                if (kind.untimed() && taken >= 0) {
                    trial.refund(1, now, taken);
                }
            }
            long after = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, (after - before) / 50_000.0);
        }
        assertThat(least).isLessThan(0.01);
    }
}
