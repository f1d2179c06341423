package io.sluice.analyzer.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.Window;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.Values;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeTest {
    private static final long SLACK = 65_000;
    /** Brokers and producers accept records of 1 MiB; the rest is for the key and what a batch adds. */
    private static final int MOST_BLOCK_BYTES = 900_000;

    private static DistinctValues sketch() {
        DistinctValues values = DistinctValues.empty();
        for (int i = 0; i <= DistinctValues.MOST_EXACT; i++) {
            values.add("caller-" + i);
        }
        return values;
    }

    private static Block full(Shape shape) {
        Block block = new Block(shape.block(1_763_700_000_000L / shape.window().paneMillis()));
        long first = shape.firstPaneOfBlock(block.number);
        DistinctValues values = sketch();
        for (long pane = first; pane < first + shape.blockPanes(); pane++) {
            long time = pane * shape.window().paneMillis();
            block.add(BlockTest.partial(pane, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, time));
            if (shape.distinct()) {
                block.add(pane, values);
            }
        }
        return block;
    }

    @ParameterizedTest
    @CsvSource({"1000,4", "1000,500", "10000,50", "60000,60", "60000,600", "86400000,60", "86400000,600"})
    void aFullBlock_fitsIntoARecord(long windowMillis, int panes) {
        for (boolean distinct : new boolean[] {false, true}) {
            Shape shape = Shape.of(new Window(windowMillis, panes), SLACK, distinct);

            assertThat(full(shape).encode(shape, 1_763_700_000_000L).length).isLessThanOrEqualTo(MOST_BLOCK_BYTES);
        }
    }

    @Test
    void aWindowOfDistinctValues_isCountedOverAllItsBlocks() {
        Shape shape = Shape.of(new Window(10_000, 50), SLACK, true);
        UsageKey key = new UsageKey("p@1", List.of("203.0.113.9"));
        InMemoryWindowStore store = new InMemoryWindowStore();
        Windows windows = new Windows(store, 's', TestBudgets.windows(10));
        long pane = 1_763_700_000_000L / shape.window().paneMillis();
        for (int i = 0; i < 70; i++) {
            windows.add(key, shape, values(pane + i, "caller-" + i));
        }
        assertThat(windows.at(key, shape, pane + 69).admitted(pane + 69)).isEqualTo(50);
        windows.flush();
        windows.discard();

        assertThat(windows.at(key, shape, pane + 69).admitted(pane + 69)).isEqualTo(50);
        assertThat(Panes.read(store, 's', key, shape, pane + 69).sum()).isEqualTo(50);
        // late, and so in the windows of all later panes
        HotWindow late = windows.add(key, shape, values(pane + 45, "another"));
        assertThat(late.admitted(pane + 69)).isEqualTo(51);
    }

    private static UsagePartial values(long pane, String value) {
        DistinctValues values = DistinctValues.empty();
        values.add(value);
        long time = pane * 200;
        return new UsagePartial(false, pane, 1, 1, 0, time, time, new Origin(0, 1), 0, 0, new Values(values.encode()));
    }

    @Test
    void aFullBlockOfDistinctValues_isReadBack() throws MalformedRecord {
        Shape shape = Shape.of(new Window(10_000, 50), SLACK, true);
        Block block = full(shape);
        byte[] written = block.encode(shape, 42);

        assertThat(Block.decode(written, shape, block.number).block().encode(shape, 42))
                .isEqualTo(written);
    }
}
