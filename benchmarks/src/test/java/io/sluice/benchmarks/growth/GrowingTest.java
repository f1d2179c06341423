package io.sluice.benchmarks.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.benchmarks.measure.Series;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrowingTest {
    private static final double ROUNDING = 1e-9;

    @Test
    void anAxisIsAsWideAsItsDearestPointOverItsCheapestWhereverTheyAre() {
        List<Series> points = List.of(cost(2, 2, 9), cost(6, 5, 7), cost(1.5, 1, 8), cost(3, 3, 3));

        assertThat(Growing.dearestOverCheapest(points)).isCloseTo(4, within(ROUNDING));
    }

    @Test
    void anAxisOfOnePointIsFlat() {
        assertThat(Growing.dearestOverCheapest(List.of(cost(5)))).isEqualTo(1);
    }

    @Test
    void aFurtherPolicyAddsItsPartOfWhatOneCosts() {
        Series one = cost(2, 4);
        Series twenty = cost(2 * 2.9, 4 * 2.9);

        assertThat(Growing.eachFurther(one, twenty, 20)).isCloseTo(0.1, within(ROUNDING));
    }

    @Test
    void policiesThatCostNothingAddNothing() {
        assertThat(Growing.eachFurther(cost(3), cost(3), 2)).isZero();
    }

    private static Series cost(double... samples) {
        return new Series("cost", "s", samples);
    }
}
