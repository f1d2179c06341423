package io.sluice.benchmarks.reaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ZipfTest {

    @Test
    void eachNumberComesInProportionToItsPlace() {
        Zipf zipf = new Zipf(3, 1);
        Random random = new Random(7);
        int[] drawn = new int[3];
        for (int i = 0; i < 110_000; i++) {
            drawn[zipf.draw(random)]++;
        }

        // 1 : 1/2 : 1/3
        assertThat(drawn[0]).isCloseTo(60_000, within(1_000));
        assertThat(drawn[1]).isCloseTo(30_000, within(1_000));
        assertThat(drawn[2]).isCloseTo(20_000, within(1_000));
    }

    @Test
    void oneAloneIsAlwaysDrawn() {
        assertThat(new Zipf(1, 1.1).draw(new Random(1))).isZero();
    }
}
