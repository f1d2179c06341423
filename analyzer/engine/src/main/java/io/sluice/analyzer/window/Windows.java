package io.sluice.analyzer.window;

import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;

/** The windows of all subjects of a task: recently used ones in heap, written behind to a store. Confined to one thread. */
public final class Windows {
    private final Blocks blocks;
    private final byte prefix;
    private final GenerationalCache<HotWindow> hot;
    private final DistinctCountCache different = new DistinctCountCache();
    private final DirtyList<HotWindow> dirty = new DirtyList<>();
    private long newestTime = Long.MIN_VALUE;

    /**
     * @param prefix separates the keys from those of other objects over the same store
     * @param budget decides how many windows are held in heap; the others are read from the store when they are needed
     */
    public Windows(WindowStore store, char prefix, TaskBudget budget) {
        blocks = new Blocks(store);
        this.prefix = (byte) prefix;
        this.hot = new GenerationalCache<>(budget, Account.WINDOWS, this::leave);
    }

    /**
     * Begins an epoch over the blocks of earlier ones. Before it, every block counts as possibly stored.
     *
     * @param newestStart {@link #newestStart} at the end of the last epoch, {@link Long#MIN_VALUE} when there was none
     */
    public void begin(long newestStart) {
        blocks.begin(newestStart);
    }

    /** Returns the latest start of a block that was ever written in epoch milliseconds, {@link Long#MIN_VALUE} for none. */
    public long newestStart() {
        return blocks.newest();
    }

    /** Adds a partial sum and returns its window, with all panes loaded that it may push over. */
    public HotWindow add(UsageKey key, Shape shape, UsagePartial partial) {
        newestTime = Math.max(newestTime, partial.newestTime());
        HotWindow window = find(key, shape);
        long bytes = window.bytes();
        long newestPane = shape.window().paneOf(newestTime);
        long lastPane = Math.max(partial.pane(), Math.min(newestPane, partial.pane() + shape.latePanes()));
        load(window, shape.firstPane(partial.pane()), lastPane);
        window.add(partial);
        hot.grew(window.bytes() - bytes);
        if (!window.dirty) {
            dirty.add(window);
        }
        return window;
    }

    /** Returns the window of a subject with all panes loaded of the window that ends with {@code lastPane}. */
    public HotWindow at(UsageKey key, Shape shape, long lastPane) {
        HotWindow window = find(key, shape);
        long bytes = window.bytes();
        load(window, shape.firstPane(lastPane), lastPane);
        hot.grew(window.bytes() - bytes);
        return window;
    }

    /** Writes what has changed since the last flush. */
    public void flush() {
        dirty.drain(window -> window.flush(blocks));
    }

    /** Discards all state in heap. */
    public void discard() {
        hot.clear();
        different.clear();
        dirty.clear();
        newestTime = Long.MIN_VALUE;
        blocks.begin(Long.MAX_VALUE);
    }

    /** Returns the number of windows in heap. */
    public int hot() {
        return hot.size();
    }

    private HotWindow find(UsageKey key, Shape shape) {
        return hot.find(StoreKeys.of(prefix, key), storeKey -> new HotWindow(storeKey, shape, different));
    }

    private void leave(HotWindow window) {
        if (window.dirty) {
            window.flush(blocks);
        }
    }

    private void load(HotWindow window, long firstPane, long lastPane) {
        Shape shape = window.shape();
        long firstBlock = shape.block(firstPane);
        long lastBlock = shape.block(lastPane);
        boolean grown = false;
        for (long block = firstBlock; block <= lastBlock; block++) {
            int place = window.indexOf(block);
            if (place < 0) {
                read(window, block, -1 - place);
                grown = true;
            }
        }
        if (grown) {
            window.trim(firstBlock, lastBlock, blocks);
        }
    }

    private void read(HotWindow window, long block, int place) {
        Block.Decoded stored = blocks.read(window.storeKey, window.shape(), block);
        if (stored == null) {
            window.insert(place, new Block(block), Long.MAX_VALUE);
        } else {
            window.insert(place, stored.block(), stored.since());
        }
    }
}
