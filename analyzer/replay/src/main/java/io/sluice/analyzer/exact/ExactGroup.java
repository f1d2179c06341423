package io.sluice.analyzer.exact;

import io.sluice.contract.policy.Window;

/** The load of one group: the events of all its subjects, and of callers that can't be locked. */
final class ExactGroup {
    private final Window shape;
    private final SlidingLog log;
    private final ExactServiceTimes times;
    private long since = Long.MAX_VALUE;

    ExactGroup(Window shape) {
        this.shape = shape;
        log = new SlidingLog(shape.millis(), ExactSum.of(Counted::amount));
        times = new ExactServiceTimes(shape.millis());
    }

    void add(Counted event) {
        since = Math.min(since, event.time());
        log.add(event);
        times.add(event);
    }

    SlidingLog window(long time) {
        return log.at(time);
    }

    ExactServiceTimes times() {
        return times;
    }

    /** Returns whether the load is known for a whole window, counted in panes as the analyzer does: before, a share is unknown. */
    boolean known(long time) {
        return shape.paneOf(since) <= shape.paneOf(time) - shape.panes() + 1;
    }
}
