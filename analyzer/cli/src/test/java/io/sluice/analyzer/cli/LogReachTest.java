package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.topic.OffsetRange;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogReachTest {
    private static final long NEEDED = 1_763_700_000_000L;

    private static OffsetRange found(long oldest, long first, long timestamp) {
        return new OffsetRange(new TopicPartition("web", 0), oldest, first, first + 1, timestamp);
    }

    private static OffsetRange quiet(long oldest, long end) {
        return new OffsetRange(new TopicPartition("web", 1), oldest, end, end, -1);
    }

    private static String gap(OffsetRange... ranges) {
        return LogReach.gap(List.of(ranges), NEEDED);
    }

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
    void aLogWhoseOldestRecordIsTooYoungHasAGap(long oldest, long first, long after, boolean gap) {
        assertThat(!gap(found(oldest, first, NEEDED + after)).isEmpty()).isEqualTo(gap);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, false", "0, 9, false", "5, 9, false", "9, 9, true"})
    void anEmptiedPartitionIsAGapAQuietOneIsNot(long oldest, long end, boolean gap) {
        assertThat(!gap(quiet(oldest, end)).isEmpty()).isEqualTo(gap);
    }

    @Test
    void aGapTellsHowFarAllPartitionsReachBack() {
        assertThat(gap(found(7, 7, NEEDED + 1_000), found(7, 7, NEEDED + 3_000), quiet(9, 9)))
                .isEqualTo("the request log reaches back to 2025-11-21 04:40:03.000 UTC only,"
                        + " it would have to reach back to 2025-11-21 04:40:00.000 UTC: can't be recounted");
    }

    @Test
    void aLogOfWhichNothingIsLeftSaysSo() {
        assertThat(gap(quiet(9, 9))).isEqualTo("nothing is left of the request log: can't be recounted");
    }
}
