package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogReachTest {
    private static final long NEEDED = 1_763_700_000_000L;

    private final LogReach reach = new LogReach(NEEDED);

    @ParameterizedTest
    @CsvSource({
        // the first record ever: nothing is gone
        "0, 0, 5000, false",
        // what was appended before the moment needed is there
        "7, 8, 5000, false",
        "7, 7, -1, false",
        "7, 7, 0, false",
        // what was appended before this record is gone
        "7, 7, 1, true"
    })
    void aLogWhoseOldestRecordIsTooYoungHasAGap(long begin, long first, long after, boolean gap) {
        reach.found(begin, first, NEEDED + after);

        assertThat(!reach.gap().isEmpty()).isEqualTo(gap);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, false", "0, 9, false", "5, 9, false", "9, 9, true"})
    void anEmptiedPartitionIsAGapAQuietOneIsNot(long begin, long end, boolean gap) {
        reach.quiet(begin, end);

        assertThat(!reach.gap().isEmpty()).isEqualTo(gap);
    }

    @Test
    void aGapTellsHowFarAllPartitionsReachBack() {
        reach.found(7, 7, NEEDED + 1_000);
        reach.found(7, 7, NEEDED + 3_000);
        reach.quiet(9, 9);

        assertThat(reach.gap())
                .isEqualTo("the request log reaches back to 2025-11-21 04:40:03.000 UTC only,"
                        + " it would have to reach back to 2025-11-21 04:40:00.000 UTC: can't be recounted");
    }

    @Test
    void aLogOfWhichNothingIsLeftSaysSo() {
        reach.quiet(9, 9);

        assertThat(reach.gap()).isEqualTo("nothing is left of the request log: can't be recounted");
    }
}
