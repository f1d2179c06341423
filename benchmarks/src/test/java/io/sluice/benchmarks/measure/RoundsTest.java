package io.sluice.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {

    @Test
    void contendersTakeTurnsAndEachBeginsARound() throws Exception {
        // given
        List<String> taken = new ArrayList<>();

        // when
        List<Series> measured = new Rounds(3, line -> {})
                .measure("ns", List.of(contender("a", 1, taken), contender("b", 2, taken), contender("c", 3, taken)));

        // then
        assertThat(String.join("", taken)).isEqualTo("abcbcacab");
        assertThat(measured)
                .containsExactly(
                        new Series("a", "ns", 1, 1, 1), new Series("b", "ns", 2, 2, 2), new Series("c", "ns", 3, 3, 3));
    }

    private static Rounds.Contender contender(String name, double value, List<String> taken) {
        return new Rounds.Contender(name, () -> {
            taken.add(name);
            return value;
        });
    }
}
