package io.sluice.analyzer.window;

import io.sluice.analyzer.distinct.DistinctUnion;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.VarintReader;
import io.sluice.contract.usage.Varints;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Some consecutive panes of one subject: only those in which something happened, oldest first. Most subjects are quiet,
 * so a flat array of what is there is a tenth of an array of all panes.
 */
final class Block {
    static final int ADMITTED = 1;
    static final int ADMITTED_COUNT = 2;
    static final int REJECTED_COUNT = 3;
    static final int MICROS = 4;
    private static final int NEWEST = 5;
    private static final int CELL = 6;
    static final byte FORMAT = 2;
    /** Its objects without what is in them. */
    private static final long EMPTY_BYTES = 56;

    /** Numbers before the first cell. */
    private static final int HEAD = 3;

    private static final long[] NONE = {};

    final long number;
    boolean dirty;
    private long[] cells = NONE;
    private int size;
    /** The different values of each pane, where they are what is counted. */
    private @Nullable PaneValues values;

    Block(long number) {
        this.number = number;
    }

    void add(UsagePartial partial) {
        int cell = cellAt(partial.pane());
        cells[cell + ADMITTED] = Sums.plus(cells[cell + ADMITTED], partial.admitted());
        cells[cell + ADMITTED_COUNT] = Sums.plus(cells[cell + ADMITTED_COUNT], partial.admittedCount());
        cells[cell + REJECTED_COUNT] = Sums.plus(cells[cell + REJECTED_COUNT], partial.rejectedCount());
        cells[cell + MICROS] = Sums.plus(cells[cell + MICROS], partial.micros());
        cells[cell + NEWEST] = Math.max(cells[cell + NEWEST], partial.newestTime());
        dirty = true;
    }

    /** Adds different values to a pane that {@link #add} was called for. */
    void add(long pane, DistinctValues more) {
        if (values == null) {
            values = new PaneValues();
        }
        values.add(pane, more);
    }

    /** Gathers the different values of these panes. */
    void gather(long firstPane, long lastPane, DistinctUnion to) {
        if (values != null) {
            values.gather(firstPane, lastPane, to);
        }
    }

    /** The cell of this pane, made where it was missing. */
    private int cellAt(long pane) {
        int index = firstFrom(pane);
        if (index < size && cells[index * CELL] == pane) {
            return index * CELL;
        }
        if ((size + 1) * CELL > cells.length) {
            cells = Arrays.copyOf(cells, Math.max(CELL, cells.length * 2));
        }
        System.arraycopy(cells, index * CELL, cells, (index + 1) * CELL, (size - index) * CELL);
        Arrays.fill(cells, index * CELL, (index + 1) * CELL, 0);
        cells[index * CELL] = pane;
        cells[index * CELL + NEWEST] = Long.MIN_VALUE;
        size++;
        return index * CELL;
    }

    /** The index of the first pane that is not before this one. */
    private int firstFrom(long pane) {
        if (size > 0 && cells[(size - 1) * CELL] < pane) {
            return size;
        }
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (cells[middle * CELL] < pane) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    int size() {
        return size;
    }

    /** Estimated bytes of heap. */
    long bytes() {
        return EMPTY_BYTES + (long) Long.BYTES * cells.length + (values == null ? 0 : values.bytes());
    }

    long sum(int column, long firstPane, long lastPane) {
        long sum = 0;
        for (int i = firstFrom(firstPane); i < size && cells[i * CELL] <= lastPane; i++) {
            sum = Sums.plus(sum, cells[i * CELL + column]);
        }
        return sum;
    }

    /** Puts the sums of its panes from {@code firstPane} on into arrays, at the pane's distance from {@code firstPane}. */
    void copyPanes(long firstPane, long[] admitted, long[] admittedCount, long[] rejectedCount, long[] micros) {
        long end = firstPane + admitted.length;
        for (int cell = firstFrom(firstPane) * CELL; cell < size * CELL && cells[cell] < end; cell += CELL) {
            int to = (int) (cells[cell] - firstPane);
            admitted[to] = cells[cell + ADMITTED];
            admittedCount[to] = cells[cell + ADMITTED_COUNT];
            rejectedCount[to] = cells[cell + REJECTED_COUNT];
            micros[to] = cells[cell + MICROS];
        }
    }

    /** Returns the first pane with an event from a pane on, {@link Long#MAX_VALUE} for none. */
    long paneFrom(long pane) {
        int index = firstFrom(pane);
        return index < size ? cells[index * CELL] : Long.MAX_VALUE;
    }

    /** The newest event time counted in the panes up to this one, {@link Long#MIN_VALUE} for none. */
    long newestUpTo(long lastPane) {
        int index = firstFrom(lastPane + 1) - 1;
        return index < 0 ? Long.MIN_VALUE : cells[index * CELL + NEWEST];
    }

    byte[] encode(Shape shape, long since) {
        // long enough for the worst; what is left over is cut off
        byte[] to = new byte[1 + Varints.LONGEST * (HEAD + size * CELL)];
        to[0] = FORMAT;
        int at = Varints.put(to, 1, shape.blockPanes());
        at = Varints.put(to, at, Math.max(0, since));
        at = Varints.put(to, at, size);
        long before = shape.firstPaneOfBlock(number) - 1;
        for (int cell = 0; cell < size * CELL; cell += CELL) {
            long pane = cells[cell];
            at = Varints.put(to, at, pane - before - 1);
            at = Varints.put(to, at, cells[cell + ADMITTED]);
            at = Varints.put(to, at, cells[cell + ADMITTED_COUNT]);
            at = Varints.put(to, at, cells[cell + REJECTED_COUNT]);
            at = Varints.put(to, at, cells[cell + MICROS]);
            at = Varints.put(
                    to, at, offset(cells[cell + NEWEST], pane, shape.window().paneMillis()));
            before = pane;
        }
        if (!shape.distinct()) {
            return Arrays.copyOf(to, at);
        }
        return (values == null ? new PaneValues() : values).behind(to, at, shape.firstPaneOfBlock(number));
    }

    private static long offset(long time, long pane, long paneMillis) {
        return Math.max(0, Math.min(paneMillis - 1, time - pane * paneMillis));
    }

    /** Content of a stored block, and the time since when its subject is known. */
    record Decoded(Block block, long since) {}

    /** Returns whether a stored block is of today's format. */
    static boolean known(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == FORMAT;
    }

    /** The stored block; an empty one when it was cut for another lateness than today's. */
    static Decoded decode(byte[] bytes, Shape shape, long number) throws MalformedRecord {
        if (!known(bytes)) {
            throw new MalformedRecord("block: not of format " + FORMAT);
        }
        VarintReader in = new VarintReader(bytes, 1);
        Block block = new Block(number);
        if (in.next("block panes") != shape.blockPanes()) {
            return new Decoded(block, Long.MAX_VALUE);
        }
        long since = in.next("since");
        int size = (int) in.next("panes", shape.blockPanes());
        block.cells = new long[size * CELL];
        block.size = size;
        long next = shape.firstPaneOfBlock(number);
        long end = next + shape.blockPanes();
        for (int cell = 0; cell < size * CELL; cell += CELL) {
            long pane = next + in.next("pane", end - 1 - next);
            block.cells[cell] = pane;
            block.cells[cell + ADMITTED] = in.next("admitted");
            block.cells[cell + ADMITTED_COUNT] = in.next("admitted count");
            block.cells[cell + REJECTED_COUNT] = in.next("rejected count");
            block.cells[cell + MICROS] = in.next("micros");
            long paneMillis = shape.window().paneMillis();
            block.cells[cell + NEWEST] = pane * paneMillis + in.next("newest", paneMillis - 1);
            next = pane + 1;
        }
        if (shape.distinct()) {
            block.values = PaneValues.decode(in, shape.firstPaneOfBlock(number), shape.blockPanes());
        }
        in.end("block");
        return new Decoded(block, since);
    }
}
