package io.sluice.analyzer.accuracy;

import java.util.ArrayDeque;

/** Lets through what keeps the sum of a window at or below a cap, and remembers the highest it came to. */
final class Peak {
    private record Entry(long time, long amount) {}

    private final long window;
    private final long cap;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private long sum;
    private long highest;

    Peak(long window, long cap) {
        this.window = window;
        this.cap = cap;
    }

    /** How much of an amount fits in at this time, which never goes back. */
    long admit(long time, long amount) {
        while (!entries.isEmpty() && entries.element().time() <= time - window) {
            sum -= entries.remove().amount();
        }
        long fits = Math.min(amount, cap - sum);
        if (fits > 0) {
            entries.add(new Entry(time, fits));
            sum += fits;
            highest = Math.max(highest, sum);
        }
        return fits;
    }

    long highest() {
        return highest;
    }
}
