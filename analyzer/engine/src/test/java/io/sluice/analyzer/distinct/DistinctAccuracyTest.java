package io.sluice.analyzer.distinct;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistinctAccuracyTest {
    @ParameterizedTest
    @CsvSource({"1000, 200", "3000, 200"})
    void theErrorOfSomeThousandValuesIsAboutOnePointTwoPercent(int values, int seeds) {
        theErrorIsAboutOnePointTwoPercent(values, seeds);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"10000, 200", "30000, 100", "100000, 100", "1000000, 40"})
    void theErrorIsAboutOnePointTwoPercent(int values, int seeds) {
        double squares = 0;
        double worst = 0;
        for (int seed = 0; seed < seeds; seed++) {
            DistinctValues set = DistinctValues.empty();
            for (int i = 0; i < values; i++) {
                set.add("user-" + seed + "/item/" + i);
            }
            double error = (double) set.count() / values - 1;
            squares += error * error;
            worst = Math.max(worst, Math.abs(error));
        }
        double rms = Math.sqrt(squares / seeds);

        System.out.printf(
                "%,d distinct values, %d seeds: rms error %.2f %%, worst %.2f %%%n",
                values, seeds, 100 * rms, 100 * worst);
        assertThat(rms).isLessThan(0.015);
        assertThat(worst).isLessThan(0.045);
    }
}
