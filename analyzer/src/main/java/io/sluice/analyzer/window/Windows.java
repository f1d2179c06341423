package io.sluice.analyzer.window;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The windows of all subjects of a task: hot ones in heap, written behind to a store. One thread.
 *
 * <p>Heap is bounded by two generations: windows touched lately are young; when those are half of what may be held, the
 * old ones are written and dropped, and the young become old. A window that is found among the old becomes young again. It
 * costs one pass over what is dropped and no bookkeeping a touch, unlike a list in order of use.
 */
public final class Windows {
    private final WindowStore store;
    private final byte prefix;
    private final int half;
    private Map<HotKey, HotWindow> young = new HashMap<>();
    private Map<HotKey, HotWindow> old = new HashMap<>();
    private final List<HotWindow> dirty = new ArrayList<>();
    private long newestTime = Long.MIN_VALUE;

    /**
     * @param prefix tells this object's keys from those of another one over the same store
     * @param most how many windows may be held in heap, at least 2
     */
    public Windows(WindowStore store, char prefix, int most) {
        this.store = store;
        this.prefix = (byte) prefix;
        this.half = Math.max(1, most / 2);
    }

    /** Adds a partial sum and returns its window, with all panes in heap that it may push over. */
    public HotWindow add(UsageKey key, Shape shape, UsagePartial partial) {
        newestTime = Math.max(newestTime, partial.newestTime());
        HotWindow window = find(key, shape);
        long newestPane = shape.window().paneOf(newestTime);
        long lastPane = Math.max(partial.pane(), Math.min(newestPane, partial.pane() + shape.latePanes()));
        load(window, shape.firstPane(partial.pane()), lastPane);
        window.add(partial);
        if (!window.dirty) {
            window.dirty = true;
            dirty.add(window);
        }
        return window;
    }

    /** The window of a subject with all panes in heap that the window ending with {@code lastPane} is made of. */
    public HotWindow at(UsageKey key, Shape shape, long lastPane) {
        HotWindow window = find(key, shape);
        load(window, shape.firstPane(lastPane), lastPane);
        return window;
    }

    /** Writes what changed since the last time. */
    public void flush() {
        for (HotWindow window : dirty) {
            if (window.dirty) {
                window.flush(store);
            }
        }
        dirty.clear();
    }

    /** Forgets all that is in heap. */
    public void discard() {
        young.clear();
        old.clear();
        dirty.clear();
        newestTime = Long.MIN_VALUE;
    }

    /** How many windows are in heap. */
    public int hot() {
        return young.size() + old.size();
    }

    private HotWindow find(UsageKey key, Shape shape) {
        HotKey hot = new HotKey(key);
        HotWindow window = young.get(hot);
        if (window != null) {
            return window;
        }
        window = old.remove(hot);
        if (window == null) {
            window = new HotWindow(key, shape, storeKey(key));
        }
        if (young.size() >= half) {
            age();
        }
        young.put(hot, window);
        return window;
    }

    private void age() {
        for (HotWindow window : old.values()) {
            if (window.dirty) {
                window.flush(store);
            }
        }
        old = young;
        young = new HashMap<>();
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
            window.trim(firstBlock, store);
        }
    }

    private void read(HotWindow window, long block, int place) {
        Shape shape = window.shape();
        byte[] stored = store.read(shape.retention(), window.storeKey, shape.blockStart(block));
        if (stored == null) {
            window.insert(place, new Block(block), Long.MAX_VALUE);
            return;
        }
        try {
            Block.Decoded decoded = Block.decode(stored, shape, block);
            window.insert(place, decoded.block(), decoded.since());
        } catch (MalformedRecord e) {
            throw new IllegalStateException("the window store holds a block that can't be read", e);
        }
    }

    private byte[] storeKey(UsageKey key) {
        byte[] plain = key.bytes();
        byte[] prefixed = new byte[plain.length + 1];
        prefixed[0] = prefix;
        System.arraycopy(plain, 0, prefixed, 1, plain.length);
        return prefixed;
    }
}
