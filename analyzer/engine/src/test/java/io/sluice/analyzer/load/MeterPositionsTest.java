package io.sluice.analyzer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeterPositionsTest {
    private final MeterPositions positions = new MeterPositions();

    private void accept(int task, long epoch, long position) {
        positions.accept(MeterPositions.load(List.of(new MeterPosition(position, new Origin(task, epoch), 0))));
    }

    @Test
    void accept_recordReadFromItsBytes_isKnown() throws Exception {
        Load load = MeterPositions.load(
                List.of(new MeterPosition(70, new Origin(0, 3), 0), new MeterPosition(50, new Origin(2, 4), 0)));

        positions.accept(LoadCodec.read(LoadCodec.write(load)));

        MeterPositions.Snapshot snapshot = positions.snapshot();
        assertThat(snapshot.position(0)).isEqualTo(70);
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

    @Test
    void accept_meterThatNoTopicCanHave_isIgnored() {
        positions.accept(new Load(0, new long[] {1}, new long[] {1}, new long[] {Origin.MOST_TASK + 1L}, 0, 1));

        assertThat(positions.snapshot().position(Origin.MOST_TASK + 1)).isEqualTo(MeterPositions.UNKNOWN);
    }
}
