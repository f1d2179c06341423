package io.sluice.analyzer.exact;

import io.sluice.analyzer.exact.ExactOracle.Reading;

/** One condition, asked of one subject. */
interface ExactDetector {
    /** The subject's own events, for a detector that remembers more than the window. */
    default void add(Counted event) {}

    /**
     * Returns the present state of the subject.
     *
     * @param own the subject's window, which ends at {@code time}
     */
    Reading ask(SlidingLog own, long time);
}
