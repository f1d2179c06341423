package io.sluice.agent.internal.limit;

import static io.sluice.agent.internal.limit.Kind.MS;
import static io.sluice.agent.internal.limit.Kind.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FixedWindowLimiterTest {
    private static final WindowRate TEN = new WindowRate(10, SECOND);

    private static FixedWindowLimiter window() {
        FixedWindowLimiter window = new FixedWindowLimiter();
        window.settle(TEN, false, 0);
        return window;
    }

    @Test
    void atABorderTwiceTheLimitPassesInAMoment() {
        FixedWindowLimiter window = window();
        assertThat(window.take(TEN, 10, SECOND - 1)).isZero();
        assertThat(window.take(TEN, 1, SECOND - 1)).isEqualTo(-1);
        assertThat(window.take(TEN, 10, SECOND)).isZero();
        assertThat(window.take(TEN, 1, SECOND)).isEqualTo(-SECOND);
    }

    @Test
    void moreThanTwiceTheLimitNeverPassesInAWindowsTime() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            FixedWindowLimiter window = window();
            long[] times = new long[100_000];
            int count = 0;
            long newest = SECOND;
            for (int i = 0; i < 100_000; i++) {
                newest += random.nextInt(20_000_000);
                long now = newest - random.nextInt(50_000_000);
                if (window.take(TEN, now) >= 0) {
                    times[count++] = now;
                }
            }
            Arrays.sort(times, 0, count);
            Bounds.window(Arrays.copyOf(times, count), 20, SECOND - 50 * MS);
        }
    }

    @Test
    void aLateThreadIsCountedInTheWindowThatOthersReached() {
        FixedWindowLimiter window = window();
        window.take(TEN, 9, SECOND);
        assertThat(window.take(TEN, 1, SECOND - 1)).isZero();
        assertThat(window.take(TEN, 1, SECOND - 1)).isEqualTo(-SECOND - 1);
        assertThat(window.take(TEN, 1, SECOND + 1)).isNegative();
    }

    @Test
    void aPermitIsGivenBackOnlyWhileItsWindowIsOpen() {
        FixedWindowLimiter window = window();
        window.take(TEN, 10, SECOND - 1);
        window.take(TEN, 5, SECOND);
        window.refund(TEN, 10, SECOND - 1, 0, () -> SECOND);
        assertThat(window.take(TEN, 1, SECOND)).isEqualTo(4);
        window.refund(TEN, 1, SECOND, 4, () -> SECOND);
        assertThat(window.take(TEN, 1, SECOND)).isEqualTo(4);
    }

    @Test
    void aPermitANanosecondIsTheFastest() {
        WindowRate fast = new WindowRate(1000, 1000);
        FixedWindowLimiter window = new FixedWindowLimiter();
        window.settle(fast, false, 0);
        assertThat(window.take(fast, 1000, 0)).isEqualTo(Limiter.NEVER);
        assertThat(window.take(fast, 999, 0)).isZero();
        assertThat(window.take(fast, 1, 999)).isEqualTo(-1);
        assertThat(window.take(fast, 1, 1000)).isEqualTo(998);
    }
}
