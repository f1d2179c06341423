package io.sluice.analyzer.accuracy;

import java.util.ArrayDeque;

/** Lets through what keeps the sum of a window at or below a cap that may change, and remembers the highest it came to. */
final class Peak {
    private record Entry(long time, long amount) {}

    private final long window;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private long sum;
    private long highest;

    Peak(long window) {
        this.window = window;
    }

    /** How much of an amount fits in under a cap at this time, which never goes back. */
    long admit(long time, long amount, long cap) {
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
