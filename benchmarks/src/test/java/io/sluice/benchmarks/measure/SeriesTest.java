package io.sluice.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SeriesTest {

    @Test
    void theMedianOfAnOddNumberOfSamplesIsTheMiddleOne() {
        assertThat(new Series("ours", "ns", 9, 1, 4).median()).isEqualTo(4);
    }

    @Test
    void theMedianOfAnEvenNumberOfSamplesLiesBetweenTheTwoInTheMiddle() {
        assertThat(new Series("ours", "ns", 9, 1, 4, 6).median()).isEqualTo(5);
    }

    @Test
    void aRatioComparesSamplesOfTheSameRoundOnly() {
        // given a machine that ran at half its speed in the second round
        Series ours = new Series("ours", "ns", 10, 20, 10);
        Series peer = new Series("peer", "ns", 40, 80, 40);

        // then the slow round changes nothing
        assertThat(ours.over(peer)).isCloseTo(0.25, within(1e-12));
    }

    @Test
    void seriesOfDifferentLengthHaveNoRatio() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Series("ours", "ns", 1, 2).over(new Series("peer", "ns", 1)))
                .withMessageContaining("ours has 2 rounds, peer 1");
    }
}
