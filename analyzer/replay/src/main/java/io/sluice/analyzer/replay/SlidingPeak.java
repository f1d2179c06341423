package io.sluice.analyzer.replay;

/** The largest sum that a sliding window (t − W, t] ever held, exactly: it remembers each event of one window. */
final class SlidingPeak {
    private final long windowMillis;
    private long[] times = new long[4];
    private long[] counts = new long[4];
    private int head;
    private int size;
    private long sum;
    private long peak;

    SlidingPeak(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    /** @param time not before the one before it */
    void add(long time, long count) {
        while (size > 0 && times[head] <= time - windowMillis) {
            sum -= counts[head];
            head = (head + 1) & (times.length - 1);
            size--;
        }
        if (size == times.length) {
            grow();
        }
        int tail = (head + size++) & (times.length - 1);
        times[tail] = time;
        counts[tail] = count;
        sum += count;
        peak = Math.max(peak, sum);
    }

    long peak() {
        return peak;
    }

    private void grow() {
        times = unrolled(times);
        counts = unrolled(counts);
        head = 0;
    }

    private long[] unrolled(long[] ring) {
        long[] longer = new long[2 * ring.length];
        System.arraycopy(ring, head, longer, 0, ring.length - head);
        System.arraycopy(ring, 0, longer, ring.length - head, head);
        return longer;
    }
}
