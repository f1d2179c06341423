package io.sluice.analyzer.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.load.MeterPositions;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;

class EpochsTest {
    private final LeaseStore store = new InMemoryLeaseStore();
    private final Epochs epochs = new Epochs(store);

    private static MeterPositions.Snapshot positions(long epoch) {
        MeterPositions positions = new MeterPositions();
        positions.accept(List.of(new MeterPosition(1, new Origin(3, epoch), 0)));
        return positions.snapshot();
    }

    @Test
    void current_partialOfAnEarlierEpochThanThePositionsReached_isNot() {
        epochs.reached(positions(7));

        assertThat(epochs.current(new Origin(3, 6))).isFalse();
        assertThat(epochs.current(new Origin(3, 7))).isTrue();
        assertThat(epochs.current(new Origin(4, 1))).isTrue();
    }

    @Test
    void current_positionsOfAnEarlierEpochThanAPartial_areNot() {
        epochs.current(new Origin(3, 8));

        assertThat(epochs.current(positions(7))).isFalse();
        assertThat(epochs.current(positions(7), 3)).isFalse();
        assertThat(epochs.current(positions(8))).isTrue();
    }

    @Test
    void current_positionsOfAnEarlierEpochThanAStoredOne_areNot() {
        epochs.current(new Origin(3, 8));
        epochs.flush();

        Epochs next = new Epochs(store);
        next.restore();

        assertThat(next.current(positions(7))).isFalse();
        assertThat(next.current(positions(8))).isTrue();
    }

    @Test
    void flush_epochOfPositions_isNotStored() {
        epochs.reached(positions(7));
        epochs.flush();

        Epochs next = new Epochs(store);
        next.restore();

        // what was not committed is read again, also of earlier epochs
        assertThat(next.current(new Origin(3, 6))).isTrue();
    }
}
