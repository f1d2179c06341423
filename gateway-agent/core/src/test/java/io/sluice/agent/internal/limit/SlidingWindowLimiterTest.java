package io.sluice.agent.internal.limit;

import static io.sluice.agent.internal.limit.Kind.MS;
import static io.sluice.agent.internal.limit.Kind.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SlidingWindowLimiterTest {
    private static final WindowRate TEN = new WindowRate(10, SECOND);

    /** What is taken counts until its slice is wholly out: permits of slices q − 10 to q. */
    @ParameterizedTest
    @CsvSource({
        "10, 1000000000",
        "1, 16",
        "3, 160",
        "7, 1001",
        "100000, 86400000000000",
        "2147483647, 2305843009213693951"
    })
    void itAnswersAsACountOfAllSlicesWould(long permits, long window) {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            WindowRate rate = new WindowRate(permits, window);
            long length = (window + 9) / 10;
            SlidingWindowLimiter limiter = new SlidingWindowLimiter(rate, 0);
            List<long[]> taken = new ArrayList<>();
            long now = 0;
            for (int i = 0; i < 2_000 && now <= Limiter.LATEST; i++) {
                long slice = now / length;
                long used = taken.stream()
                        .filter(it -> it[0] >= slice - 10)
                        .mapToLong(it -> it[1])
                        .sum();
                long asked = 1 + (long) (random.nextDouble() * (permits - 1) / (1 + random.nextInt(10)));
                long answer = limiter.take(rate, asked, now);
                if (used + asked <= permits) {
                    assertThat(answer).as("seed %d", seed).isEqualTo(permits - used - asked);
                    taken.add(new long[] {slice, asked});
                } else {
                    assertThat(answer).as("seed %d", seed).isBetween(-11 * length, -1L);
                }
                now += (long) (random.nextDouble() * window / (1 + random.nextInt(20)));
            }
        }
    }

    @Test
    void aPermitOfALateThreadIsNotLost() {
        SlidingWindowLimiter window = new SlidingWindowLimiter(TEN, 0);
        assertThat(window.take(TEN, 9, SECOND)).isEqualTo(1);
        assertThat(window.take(TEN, 1, SECOND - 50 * MS)).isZero();
        assertThat(window.take(TEN, 1, SECOND)).isNegative();
    }

    @Test
    void aThreadThatIsVeryLateIsCountedToo() {
        SlidingWindowLimiter window = new SlidingWindowLimiter(TEN, 0);
        assertThat(window.take(TEN, 9, 10 * SECOND)).isEqualTo(1);
        assertThat(window.take(TEN, 1, SECOND)).isZero();
        assertThat(window.take(TEN, 1, SECOND)).isNegative();
        assertThat(window.take(TEN, 1, 10 * SECOND)).isNegative();
    }

    @Test
    void afterAVeryLongPauseItIsEmpty() {
        WindowRate shortest = new WindowRate(62_500, MS);
        SlidingWindowLimiter window = new SlidingWindowLimiter(shortest, 0);
        for (long pause : new long[] {1L << 32, 1L << 40, 1L << 48, 1L << 56, 1L << 60}) {
            // around the times at which a shorter number of the slice would begin anew
            for (long now = pause * 100 - MS;
                    now > 0 && now < Limiter.LATEST && now <= pause * 100 + MS;
                    now += 2 * MS) {
                assertThat(window.take(shortest, 62_500, now)).isZero();
            }
        }
    }

    @Test
    void aLimitThatIsTooFastIsTakenForTheFastest() {
        WindowRate fast = new WindowRate(1_000_000, MS);
        SlidingWindowLimiter window = new SlidingWindowLimiter(fast, 0);
        assertThat(window.take(fast, 62_501, 0)).isEqualTo(Limiter.NEVER);
        assertThat(window.take(fast, 62_500, 0)).isZero();
    }
}
