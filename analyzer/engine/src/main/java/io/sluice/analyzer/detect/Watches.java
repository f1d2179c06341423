package io.sluice.analyzer.detect;

import io.sluice.analyzer.window.HotWindow;
import io.sluice.contract.usage.UsageKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;

/**
 * The subjects of a decide task that meters must hold nothing back of: those that are locked, and those that could be over if every meter that
 * did not report them held just less than its mark. While they last, watches are renewed every half window. Subjects that people look at are
 * watched for a window each time. Confined to one thread.
 */
public final class Watches {
    /** More are not watched; their locks may come later, when more of what they make has been reported. */
    static final int MOST = 10_000;

    /** With as many, no more are added because people look at them: those that may have to be locked come first. */
    static final int MOST_WITH_ASKED = 1_000;

    /** As in the meter: each holds less than this part of a threshold, divided by the number of meters. */
    private static final int QUIET_PARTS = 2;

    private final int meters;
    private final Predicate<UsageKey> locked;
    private final ObjLongConsumer<UsageKey> sink;
    private final Map<UsageKey, Long> ends;
    /** No watch ends before. */
    private long leastEnd = Long.MAX_VALUE;

    /**
     * @param meters number of meters; a single one reports whatever could be over, so only what is locked is watched
     * @param locked whether a subject is locked
     * @param sink takes a subject and the end of its watch, epoch milliseconds
     */
    public Watches(int meters, Predicate<UsageKey> locked, ObjLongConsumer<UsageKey> sink) {
        this(meters, locked, sink, new HashMap<>());
    }

    /** @param ends empty */
    Watches(int meters, Predicate<UsageKey> locked, ObjLongConsumer<UsageKey> sink, Map<UsageKey, Long> ends) {
        this.meters = meters;
        this.locked = locked;
        this.sink = sink;
        this.ends = ends;
    }

    /**
     * Watches a subject if that is necessary.
     *
     * @param from the pane that something was added to
     */
    void look(Subject subject, long from) {
        if (!subject.rule().rule.ignoresSmallSums()) {
            return;
        }
        long time = subject.window().newestTime();
        long window = subject.shape().window().millis();
        if (due(subject.key(), time, window) && ((meters > 1 && near(subject, from)) || locked.test(subject.key()))) {
            watch(subject.key(), time, window, MOST);
        }
    }

    /**
     * Watches a subject that a person looks at, unless meters hold nothing of it back.
     *
     * @param time epoch milliseconds
     */
    void ask(UsageKey key, DetectedPolicy policy, long time) {
        DetectedPolicy.DetectedRule rule = policy.ruleFor(key.subject());
        long window = policy.shape.window().millis();
        if (meters > 1 && rule != null && rule.rule.ignoresSmallSums() && due(key, time, window)) {
            watch(key, time, window, MOST_WITH_ASKED);
        }
    }

    private boolean due(UsageKey key, long time, long window) {
        Long end = ends.get(key);
        return end == null || time > end - window / 2;
    }

    private void watch(UsageKey key, long time, long window, int most) {
        if (ends.size() >= most && !ends.containsKey(key)) {
            sweep(time);
            if (ends.size() >= most) {
                return;
            }
        }
        long end = time + window;
        ends.put(key, end);
        leastEnd = Math.min(leastEnd, end);
        sink.accept(key, end);
    }

    /** Removes the watches that have ended; visits them only when one can have. */
    private void sweep(long time) {
        if (time <= leastEnd) {
            return;
        }
        ends.values().removeIf(it -> it < time);
        leastEnd = ends.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
    }

    /** Returns whether it is over, or could be with what is held back of it. */
    private boolean near(Subject subject, long from) {
        double threshold = subject.rule().rule.smallestThreshold() * subject.scale();
        double heldBack = threshold * (meters - 1) / (QUIET_PARTS * (double) meters);
        HotWindow window = subject.window();
        long pane = window.paneFrom(from);
        while (pane != Long.MAX_VALUE && window.admitted(pane) <= threshold - heldBack) {
            pane = window.paneFrom(pane + 1);
        }
        if (pane == Long.MAX_VALUE) {
            return false;
        }
        return subject.rule().patient.isEmpty()
                || !subject.rule().prompt.isEmpty()
                || subject.rule().patient.stream().anyMatch(detector -> Detection.candidate(detector, subject));
    }

    /** Discards all watches; those that were published last until their end. */
    void discard() {
        ends.clear();
        leastEnd = Long.MAX_VALUE;
    }
}
