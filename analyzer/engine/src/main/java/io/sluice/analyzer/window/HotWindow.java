package io.sluice.analyzer.window;

import io.sluice.analyzer.distinct.DistinctUnion;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.UsagePartial;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A window in heap: the recently used blocks of one subject or group. Valid until the next call of {@link Windows}. */
public final class HotWindow extends Held {
    /** Up to so many cells are summed as fast as a running sum is updated, which costs memory. */
    private static final int FEW = 12;

    /** The empty objects and the slot in a table, in bytes. */
    private static final long EMPTY_BYTES = 120;

    /** Two running sums, in bytes. */
    private static final long RUNNING_BYTES = 96;

    private static final Block[] NONE = {};

    private final Shape shape;
    private final DistinctCountCache different;
    // few (two as a rule), ascending
    private Block[] blocks = NONE;
    private long since = Long.MAX_VALUE;
    private long newestTime = Long.MIN_VALUE;
    // used at every arrival, and again for subjects that are over
    private @Nullable RunningSum admitted;
    private @Nullable RunningSum admittedCount;

    HotWindow(byte[] storeKey, Shape shape, DistinctCountCache different) {
        super(storeKey);
        this.different = different;
        this.shape = shape;
    }

    public Shape shape() {
        return shape;
    }

    /** Returns the event time of the oldest counted event that is known, {@link Long#MAX_VALUE} for none. */
    public long since() {
        return since;
    }

    /** Returns the event time of the newest counted event, {@link Long#MIN_VALUE} for none. */
    public long newestTime() {
        return newestTime;
    }

    /** Returns the admitted sum, or the number of distinct values, of the window that ends with a pane. */
    public long admitted(long lastPane) {
        if (shape.distinct()) {
            return different.in(this, shape.firstPane(lastPane), lastPane);
        }
        if (admitted == null && few()) {
            return sum(Block.ADMITTED, shape.firstPane(lastPane), lastPane);
        }
        if (admitted == null) {
            admitted = new RunningSum(Block.ADMITTED, shape.panes());
        }
        return admitted.at(lastPane, this::sum);
    }

    @Override
    long bytes() {
        long bytes = EMPTY_BYTES + storeKey.length + (few() ? 0 : RUNNING_BYTES);
        for (Block block : blocks) {
            bytes += block.bytes();
        }
        return bytes;
    }

    private boolean few() {
        int cells = 0;
        for (Block block : blocks) {
            cells += block.size();
        }
        return cells <= FEW;
    }

    void gather(long firstPane, long lastPane, DistinctUnion to) {
        for (Block block : blocks) {
            block.gather(firstPane, lastPane, to);
        }
    }

    /** Returns the service time of admitted requests in the window that ends with a pane, in microseconds. */
    public long micros(long lastPane) {
        return sum(Block.MICROS, shape.firstPane(lastPane), lastPane);
    }

    /** Returns the number of admitted requests in the window that ends with a pane. */
    public long admittedCount(long lastPane) {
        if (admittedCount == null && few()) {
            return sum(Block.ADMITTED_COUNT, shape.firstPane(lastPane), lastPane);
        }
        if (admittedCount == null) {
            admittedCount = new RunningSum(Block.ADMITTED_COUNT, shape.panes());
        }
        return admittedCount.at(lastPane, this::sum);
    }

    /** Returns the number of rejected requests in the window that ends with a pane. */
    public long rejectedCount(long lastPane) {
        return sum(Block.REJECTED_COUNT, shape.firstPane(lastPane), lastPane);
    }

    /** Copies the sums of consecutive panes from {@code firstPane} on into arrays of equal length. */
    public void copyPanes(long firstPane, long[] admitted, long[] admittedCount, long[] rejectedCount, long[] micros) {
        for (Block block : blocks) {
            block.copyPanes(firstPane, admitted, admittedCount, rejectedCount, micros);
        }
    }

    /** Returns the first pane with an event from a pane on, {@link Long#MAX_VALUE} for none. */
    public long paneFrom(long pane) {
        for (Block block : blocks) {
            long found = block.paneFrom(pane);
            if (found != Long.MAX_VALUE) {
                return found;
            }
        }
        return Long.MAX_VALUE;
    }

    /** Returns the event time of the newest event in the panes up to a pane, {@link Long#MIN_VALUE} for none. */
    public long newestUpTo(long lastPane) {
        for (int i = blocks.length - 1; i >= 0; i--) {
            long newest = blocks[i].newestUpTo(lastPane);
            if (newest != Long.MIN_VALUE) {
                return newest;
            }
        }
        return Long.MIN_VALUE;
    }

    private long sum(int column, long firstPane, long lastPane) {
        long sum = 0;
        for (Block block : blocks) {
            sum = Sums.plus(sum, block.sum(column, firstPane, lastPane));
        }
        return sum;
    }

    void add(UsagePartial partial) {
        Block block = blocks[indexOf(shape.block(partial.pane()))];
        block.add(partial);
        if (admitted != null) {
            admitted.added(partial.pane(), partial.admitted());
        }
        if (admittedCount != null) {
            admittedCount.added(partial.pane(), partial.admittedCount());
        }
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

    /** Returns the index of a block, or −1 − the index at which to insert it. */
    int indexOf(long number) {
        for (int i = blocks.length - 1; i >= 0; i--) {
            if (blocks[i].number <= number) {
                return blocks[i].number == number ? i : -2 - i;
            }
        }
        return -1;
    }

    void insert(int place, Block block, long blockSince) {
        Block[] more = new Block[blocks.length + 1];
        System.arraycopy(blocks, 0, more, 0, place);
        more[place] = block;
        System.arraycopy(blocks, place, more, place + 1, blocks.length - place);
        blocks = more;
        forgetSums();
        since = Math.min(since, blockSince);
        newestTime = Math.max(newestTime, block.newestUpTo(Long.MAX_VALUE - 1));
    }

    void flush(Blocks to) {
        for (Block block : blocks) {
            flush(block, to);
        }
        dirty = false;
    }

    private void flush(Block block, Blocks to) {
        if (block.dirty) {
            to.write(storeKey, shape, block, since);
            block.dirty = false;
        }
    }

    /** Evicts blocks that are unlikely to be used again: all but those from {@code first} to {@code last} and the two newest. */
    void trim(long first, long last, Blocks to) {
        long newest = blocks[blocks.length - 1].number - 1;
        int kept = 0;
        for (Block block : blocks) {
            if (block.number >= newest || (block.number >= first && block.number <= last)) {
                blocks[kept++] = block;
            } else {
                flush(block, to);
            }
        }
        if (kept < blocks.length) {
            blocks = Arrays.copyOf(blocks, kept);
            forgetSums();
        }
    }

    private void forgetSums() {
        admitted = null;
        admittedCount = null;
    }
}
