package io.sluice.analyzer.window;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Entries that changed since the last flush. It lets go of what was evicted, and so flushed, in between. One thread. */
final class DirtyList<V extends Held> {
    private static final int FEW = 1_000;

    private final List<V> changed = new ArrayList<>();
    private int compacted = FEW;

    /** Adds something that has just become dirty. */
    void add(V held) {
        held.dirty = true;
        if (changed.size() >= 2 * compacted) {
            changed.removeIf(earlier -> !earlier.dirty);
            compacted = Math.max(FEW, changed.size());
        }
        changed.add(held);
    }

    /** Passes everything that is still dirty, and is empty then. */
    void drain(Consumer<V> to) {
        for (V held : changed) {
            if (held.dirty) {
                to.accept(held);
            }
        }
        clear();
    }

    void clear() {
        changed.clear();
        compacted = FEW;
    }
}
