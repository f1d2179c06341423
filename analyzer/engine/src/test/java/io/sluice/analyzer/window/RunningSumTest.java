package io.sluice.analyzer.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.Values;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunningSumTest {
    private static final int STEPS = 20_000;

    private final Block block = new Block(0);

    @ParameterizedTest
    @CsvSource({"1, 1", "4, 2", "10, 3", "60, 4", "600, 5"})
    void isWhatTheSumOfAllPanesIsWhereverTheWindowGoes(int panes, long seed) {
        Random random = new Random(seed);
        RunningSum running = new RunningSum(Block.ADMITTED, panes);
        long newest = 0;
        for (int step = 0; step < STEPS; step++) {
            newest += random.nextInt(20) == 0 ? random.nextInt(2 * panes + 1) : random.nextInt(2);
            add(running, Math.max(0, newest - random.nextInt(panes + 2)), random.nextInt(100));

            long asked = Math.max(0, newest - random.nextInt(2 * panes));
            assertThat(running.at(asked, block::sum)).isEqualTo(plain(asked, panes));
        }
    }

    @Test
    void aSumThatWasCutOffComesBackWhenWhatWasTooMuchIsOver() {
        RunningSum running = new RunningSum(Block.ADMITTED, 10);
        add(running, 1, Long.MAX_VALUE - 5);
        assertThat(running.at(1, block::sum)).isEqualTo(Long.MAX_VALUE - 5);
        add(running, 2, 7);
        assertThat(running.at(2, block::sum)).isEqualTo(Long.MAX_VALUE);
        add(running, 3, 4);
        assertThat(running.at(10, block::sum)).isEqualTo(Long.MAX_VALUE);

        assertThat(running.at(11, block::sum)).isEqualTo(11);
        assertThat(running.at(10, block::sum)).isEqualTo(Long.MAX_VALUE);
    }

    private void add(RunningSum running, long pane, long amount) {
        block.add(partial(pane, amount));
        running.added(pane, amount);
    }

    private long plain(long lastPane, int panes) {
        return block.sum(Block.ADMITTED, lastPane - panes + 1, lastPane);
    }

    private static UsagePartial partial(long pane, long admitted) {
        return new UsagePartial(false, pane, admitted, 1, 0, 0, 0, new Origin(0, 1), 0, 0, Values.NONE);
    }
}
