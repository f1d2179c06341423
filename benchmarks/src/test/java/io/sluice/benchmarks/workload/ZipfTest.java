package io.sluice.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ZipfTest {
    private static final int DRAWS = 500_000;

    private static double[] shares(int ranks, double exponent, long seed) {
        Zipf zipf = new Zipf(ranks, exponent);
        RandomGenerator random = new SplittableRandom(seed);
        double[] shares = new double[ranks];
        for (int i = 0; i < DRAWS; i++) {
            shares[zipf.next(random)] += 1.0 / DRAWS;
        }
        return shares;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theHeadComesUpAsOftenAsTheLawSays(long seed) {
        double whole = 0;
        for (int rank = 1; rank <= 100_000; rank++) {
            whole += 1 / Math.pow(rank, 1.1);
        }
        double[] shares = shares(100_000, 1.1, seed);
        for (int rank = 1; rank <= 3; rank++) {
            // five standard deviations
            assertThat(shares[rank - 1]).isEqualTo(1 / Math.pow(rank, 1.1) / whole, within(0.0025));
        }
    }

    @Test
    void anExponentOfNothingIsEven() {
        for (double share : shares(4, 0, 1)) {
            assertThat(share).isEqualTo(0.25, within(0.005));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void everyRankComesUpAndNoOther(int ranks) {
        assertThat(shares(ranks, 1.1, 1)).hasSize(ranks).doesNotContain(0.0);
    }

    @Test
    void noRankIsNoLaw() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Zipf(0, 1.1)).withMessageContaining("not 0 and 1.1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Zipf(1, Double.NaN))
                .withMessageContaining("NaN");
    }
}
