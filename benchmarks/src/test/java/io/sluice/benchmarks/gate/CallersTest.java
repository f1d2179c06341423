package io.sluice.benchmarks.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class CallersTest {

    @Test
    void everyContenderIsAskedForTheSameCallersInTheSameOrder() {
        int[] first = Callers.draws();
        String[] names = Callers.asking();
        assertThat(Callers.draws()).isEqualTo(first);
        assertThat(Callers.asking()).isEqualTo(names);
    }

    @Test
    void everyDrawnCallerHasAName() {
        int[] draws = Callers.draws();
        assertThat(Arrays.stream(draws).min().orElseThrow()).isGreaterThanOrEqualTo(0);
        assertThat(Arrays.stream(draws).max().orElseThrow()).isLessThan(Callers.ASKING);
    }

    @Test
    void turnsWrapAroundByMask() {
        assertThat(Integer.bitCount(Callers.draws().length)).isEqualTo(1);
    }

    @Test
    void oneCallerHasTheHeadsShareAndItIsNotTheFirstInMemory() {
        int[] counts = new int[Callers.ASKING];
        int[] draws = Callers.draws();
        for (int caller : draws) {
            counts[caller]++;
        }
        int most = Arrays.stream(counts).max().orElseThrow();
        assertThat((double) most / draws.length).isEqualTo(0.135, within(0.005));
        assertThat(counts[0]).isLessThan(most);
    }

    @Test
    void whoIsLockedNeverAsks() {
        assertThat(Callers.asking()).doesNotContain(Callers.name(Callers.ASKING));
    }
}
