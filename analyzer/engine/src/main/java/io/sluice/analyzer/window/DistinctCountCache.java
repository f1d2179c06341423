package io.sluice.analyzer.window;

import io.sluice.analyzer.distinct.DistinctUnion;
import io.sluice.analyzer.distinct.DistinctValues;
import org.jspecify.annotations.Nullable;

/**
 * Counts the distinct values of windows and caches the last result. It is updated as long as the same window is asked for, so all panes
 * are merged only when the window moves on. Confined to one thread.
 */
final class DistinctCountCache {
    private final DistinctUnion union = new DistinctUnion();
    private @Nullable HotWindow counted;
    private long first;
    private long last;

    long in(HotWindow window, long firstPane, long lastPane) {
        if (!is(window) || first != firstPane || last != lastPane) {
            union.clear();
            window.gather(firstPane, lastPane, union);
            counted = window;
            first = firstPane;
            last = lastPane;
        }
        return union.count();
    }

    /** Updates the cached result after an addition to a pane. */
    void added(HotWindow window, long pane, DistinctValues more) {
        if (is(window) && pane >= first && pane <= last) {
            union.add(more);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a window read anew is another one
    private boolean is(HotWindow window) {
        return counted == window;
    }

    void clear() {
        counted = null;
        union.clear();
    }
}
