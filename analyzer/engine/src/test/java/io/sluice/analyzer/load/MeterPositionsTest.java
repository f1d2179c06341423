package io.sluice.analyzer.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeterPositionsTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final LoadBounds BOUNDS = new LoadBounds(3, 5_000);

    private final MeterPositions positions = new MeterPositions();

    private void accept(int task, long epoch, long position) {
        positions.accept(List.of(new MeterPosition(position, new Origin(task, epoch), 0)));
    }

    @Test
    void accept_recordReadFromItsBytes_isKnown() throws Exception {
        Load load = MeterPositions.load(List.of(
                new MeterPosition(TIME + 70, new Origin(0, 3), 0), new MeterPosition(TIME + 50, new Origin(2, 4), 0)));

        positions.accept(LoadCodec.read(LoadCodec.write(load)), BOUNDS, TIME);

        MeterPositions.Snapshot snapshot = positions.snapshot();
        assertThat(snapshot.position(0)).isEqualTo(TIME + 70);
        assertThat(snapshot.epoch(2)).isEqualTo(4);
        assertThat(snapshot.position(1)).isEqualTo(MeterPositions.UNKNOWN);
        assertThat(snapshot.position(9)).isEqualTo(MeterPositions.UNKNOWN);
    }

    @Test
    void accept_olderRecord_changesNothing() {
        accept(0, 2, 70);
        accept(0, 2, 60);
        accept(0, 1, 80);

        assertThat(positions.snapshot().position(0)).isEqualTo(70);
        assertThat(positions.snapshot().epoch(0)).isEqualTo(2);
    }

    @Test
    void accept_newerEpochBehindTheLastOne_staysWhereTheMetersHaveRead() {
        accept(0, 1, 70);
        accept(0, 2, 60);

        assertThat(positions.snapshot().position(0)).isEqualTo(70);
        assertThat(positions.snapshot().epoch(0)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 0, 'load.position: 0 is before 172800000, the earliest time'",
        "1, 1, 172799999, 'load.position: 172799999 is before 172800000, the earliest time'",
        "1, 1, 1763700065001, 'load.position: 1763700065001 is more than 65000 ms after the record was appended, 1763700000000'",
        "1, 1, 9223372036854775807, 'load.position: 9223372036854775807 is more than 65000 ms'",
        "1, 9223372036854775807, 1763700000000, 'load.epoch: 9223372036854775807 is more than 31622400000 ms'",
        "3, 1, 1763700000000, 'load.task: there is no such meter: 3 of 3'",
        "65536, 1, 1763700000000, 'load.task: at most 65535 is expected: 65536'",
        "9223372036854775807, 1, 1763700000000, 'load.task: at most 65535 is expected: 9223372036854775807'",
    })
    void accept_positionThatNoMeterCanHave_isRefused_withoutTheOthersOfItsRecord(
            long task, long epoch, long position, String problem) {
        Load load = new Load(
                0, new long[] {TIME, position, TIME - 1}, new long[] {1, epoch, 1}, new long[] {0, task, 2}, 0, TIME);

        assertThatThrownBy(() -> positions.accept(load, BOUNDS, TIME))
                .isInstanceOf(MalformedRecord.class)
                .hasMessageStartingWith(problem);

        MeterPositions.Snapshot snapshot = positions.snapshot();
        assertThat(snapshot.position(0)).isEqualTo(TIME);
        assertThat(snapshot.position(1)).isEqualTo(MeterPositions.UNKNOWN);
        assertThat(snapshot.position(2)).isEqualTo(TIME - 1);
        assertThat(snapshot.position(3)).isEqualTo(MeterPositions.UNKNOWN);
    }
}
