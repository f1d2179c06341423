package io.sluice.benchmarks.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RankedCallersTest {
    private static final int CALLERS = 2_000_000;

    @Test
    void partOfHead_matchesTheSumOfAllRanks() {
        double head = sum(1, RankedCallers.HEAD);
        double tail = sum(RankedCallers.HEAD + 1, CALLERS);

        assertThat(new RankedCallers(CALLERS, 1.1).partOfHead()).isCloseTo(head / (head + tail), within(1e-9));
    }

    @Test
    void next_drawsRanksOfTheTailInProportion() {
        var callers = new RankedCallers(CALLERS, 1.1);
        var random = new SplittableRandom(7);
        int draws = 1_000_000;
        int lowerHalf = 0;
        int tail = 0;
        for (int draw = 0; draw < draws; draw++) {
            int caller = callers.next(random);
            assertThat(caller).isBetween(0, CALLERS - 1);
            if (caller >= RankedCallers.HEAD) {
                tail++;
                lowerHalf += caller < RankedCallers.HEAD + RankedCallers.HEAD / 2 ? 1 : 0;
            }
        }

        double expected =
                sum(RankedCallers.HEAD + 1, RankedCallers.HEAD * 3 / 2) / sum(RankedCallers.HEAD + 1, CALLERS);
        assertThat(tail / (double) draws).isCloseTo(1 - callers.partOfHead(), within(0.002));
        assertThat(lowerHalf / (double) tail).isCloseTo(expected, within(0.02));
    }

    @Test
    void fewCallers_areRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RankedCallers(RankedCallers.HEAD, 1.1));
        assertThatIllegalArgumentException().isThrownBy(() -> new RankedCallers(CALLERS, 1));
    }

    private static double sum(int from, int to) {
        double sum = 0;
        for (int rank = to; rank >= from; rank--) {
            sum += Math.pow(rank, -1.1);
        }
        return sum;
    }
}
