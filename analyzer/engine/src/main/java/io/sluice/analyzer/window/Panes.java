package io.sluice.analyzer.window;

import io.sluice.analyzer.distinct.DistinctUnion;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.UsageKey;
import java.util.Arrays;

/**
 * A subject's window as it was last written to the store, pane by pane. Reading it this way touches nothing that is in heap, so
 * it can be read beside the thread that writes.
 *
 * @param firstPane the number of the first pane
 * @param sum what the whole window admitted, in the measure's smallest unit, or its number of different values
 * @param admitted the admitted sum of each pane, in the measure's smallest unit; of different values how many came in its partials, some twice
 * @param admittedCount requests admitted in each pane
 * @param rejectedCount requests rejected in each pane
 */
@SuppressWarnings("ArrayRecordComponent") // read once, compared never
public record Panes(long firstPane, long sum, long[] admitted, long[] admittedCount, long[] rejectedCount) {

    /**
     * Reads at most two blocks.
     *
     * @param prefix of the {@link Windows} that wrote it
     * @param lastPane the window's last
     */
    public static Panes read(WindowStore store, char prefix, UsageKey key, Shape shape, long lastPane) {
        long firstPane = shape.firstPane(lastPane);
        int size = shape.panes();
        long[] admitted = new long[size];
        long[] admittedCount = new long[size];
        long[] rejectedCount = new long[size];
        DistinctUnion different = new DistinctUnion();
        byte[] storeKey = StoreKeys.of((byte) prefix, key);
        for (long number = shape.block(firstPane); number <= shape.block(lastPane); number++) {
            byte[] stored = store.read(shape.retention(), storeKey, shape.blockStart(number));
            if (stored != null && Block.known(stored)) {
                Block block = decode(stored, shape, number);
                block.copyPanes(firstPane, admitted, admittedCount, rejectedCount, new long[size]);
                block.gather(firstPane, lastPane, different);
            }
        }
        long sum =
                shape.distinct() ? different.count() : Arrays.stream(admitted).reduce(0, Sums::plus);
        return new Panes(firstPane, sum, admitted, admittedCount, rejectedCount);
    }

    private static Block decode(byte[] stored, Shape shape, long number) {
        try {
            return Block.decode(stored, shape, number).block();
        } catch (MalformedRecord e) {
            throw new IllegalStateException("the window store holds a block that can't be read", e);
        }
    }
}
