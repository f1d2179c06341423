package io.sluice.analyzer.window;

import io.sluice.analyzer.distinct.DistinctUnion;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayList;
import java.util.List;

/** A window in heap: the blocks of one subject or group that were touched lately. Valid until the next call of {@link Windows}. */
public final class HotWindow {
    private final UsageKey key;
    private final Shape shape;
    final byte[] storeKey;
    private final Different different;
    // few (two as a rule), ascending
    private final List<Block> blocks = new ArrayList<>(2);
    private long since = Long.MAX_VALUE;
    private long newestTime = Long.MIN_VALUE;
    // asked at every arrival, and again for whom is over
    private final RunningSum admitted;
    private final RunningSum admittedCount;
    boolean dirty;

    HotWindow(UsageKey key, Shape shape, byte[] storeKey, Different different) {
        this.different = different;
        this.key = key;
        this.shape = shape;
        this.storeKey = storeKey;
        admitted = new RunningSum(Block.ADMITTED, shape.panes());
        admittedCount = new RunningSum(Block.ADMITTED_COUNT, shape.panes());
    }

    public UsageKey key() {
        return key;
    }

    public Shape shape() {
        return shape;
    }

    /** Event time of the oldest event counted as far as is known, {@link Long#MAX_VALUE} for none. */
    public long since() {
        return since;
    }

    /** Event time of the newest event counted, {@link Long#MIN_VALUE} for none. */
    public long newestTime() {
        return newestTime;
    }

    /** The admitted sum, or the number of different values, of the window that ends with this pane. */
    public long admitted(long lastPane) {
        return shape.distinct()
                ? different.in(this, shape.firstPane(lastPane), lastPane)
                : admitted.at(lastPane, this::sum);
    }

    void gather(long firstPane, long lastPane, DistinctUnion to) {
        for (Block block : blocks) {
            block.gather(firstPane, lastPane, to);
        }
    }

    /** Service time of what was admitted in the window that ends with this pane, in microseconds. */
    public long micros(long lastPane) {
        return sum(Block.MICROS, shape.firstPane(lastPane), lastPane);
    }

    /** How many requests were admitted in the window that ends with this pane. */
    public long admittedCount(long lastPane) {
        return admittedCount.at(lastPane, this::sum);
    }

    /** How many requests were rejected in the window that ends with this pane. */
    public long rejectedCount(long lastPane) {
        return sum(Block.REJECTED_COUNT, shape.firstPane(lastPane), lastPane);
    }

    /** Puts the sums of consecutive panes, the first of them {@code firstPane}, into arrays of equal length. */
    public void copyPanes(long firstPane, long[] admitted, long[] admittedCount, long[] rejectedCount, long[] micros) {
        for (Block block : blocks) {
            block.copyPanes(firstPane, admitted, admittedCount, rejectedCount, micros);
        }
    }

    /** The first pane from this one on in which something happened, {@link Long#MAX_VALUE} for none. */
    public long paneFrom(long pane) {
        for (Block block : blocks) {
            long found = block.paneFrom(pane);
            if (found != Long.MAX_VALUE) {
                return found;
            }
        }
        return Long.MAX_VALUE;
    }

    /** Event time of the newest event counted in the panes up to this one, {@link Long#MIN_VALUE} for none. */
    public long newestUpTo(long lastPane) {
        for (int i = blocks.size() - 1; i >= 0; i--) {
            long newest = blocks.get(i).newestUpTo(lastPane);
            if (newest != Long.MIN_VALUE) {
                return newest;
            }
        }
        return Long.MIN_VALUE;
    }

    private long sum(int column, long firstPane, long lastPane) {
        long sum = 0;
        for (int i = 0; i < blocks.size(); i++) {
            sum = Sums.plus(sum, blocks.get(i).sum(column, firstPane, lastPane));
        }
        return sum;
    }

    void add(UsagePartial partial) {
        Block block = blocks.get(indexOf(shape.block(partial.pane())));
        block.add(partial);
        admitted.added(partial.pane(), partial.admitted());
        admittedCount.added(partial.pane(), partial.admittedCount());
        if (shape.distinct() && !partial.values().none()) {
            DistinctValues values = values(partial);
            block.add(partial.pane(), values);
            different.added(this, partial.pane(), values);
        }
        since = Math.min(since, partial.firstTime());
        newestTime = Math.max(newestTime, partial.newestTime());
    }

    private static DistinctValues values(UsagePartial partial) {
        try {
            return DistinctValues.decode(partial.values().bytes());
        } catch (MalformedRecord e) {
            throw new IllegalArgumentException("a partial's values can't be read: " + e.getMessage(), e);
        }
    }

    /** The place of a block among those in heap, or −1 − the place where it belongs. */
    int indexOf(long number) {
        for (int i = blocks.size() - 1; i >= 0; i--) {
            if (blocks.get(i).number <= number) {
                return blocks.get(i).number == number ? i : -2 - i;
            }
        }
        return -1;
    }

    void insert(int place, Block block, long blockSince) {
        blocks.add(place, block);
        forgetSums();
        since = Math.min(since, blockSince);
        newestTime = Math.max(newestTime, block.newestUpTo(Long.MAX_VALUE - 1));
    }

    void flush(WindowStore store) {
        blocks.forEach(block -> flush(block, store));
        dirty = false;
    }

    private void flush(Block block, WindowStore store) {
        if (block.dirty) {
            store.write(shape.retention(), storeKey, shape.blockStart(block.number), block.encode(shape, since));
            block.dirty = false;
        }
    }

    /** Lets go of blocks that will hardly be asked for again, but of none from {@code needed} on. */
    void trim(long needed, WindowStore store) {
        long keepFrom = Math.min(needed, blocks.get(blocks.size() - 1).number - 1);
        while (blocks.get(0).number < keepFrom) {
            flush(blocks.remove(0), store);
            forgetSums();
        }
    }

    private void forgetSums() {
        admitted.forget();
        admittedCount.forget();
    }
}
