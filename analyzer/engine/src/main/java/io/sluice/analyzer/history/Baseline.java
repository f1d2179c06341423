package io.sluice.analyzer.history;

import io.sluice.analyzer.window.History;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.VarintReader;
import io.sluice.contract.usage.Varints;
import java.util.Arrays;

/**
 * Usual value: an exponentially weighted mean over past windows (Roberts, 1959), of one or more sums that are kept in
 * step. Time is cut into windows aligned to epoch 0. The mean is made of those before the last two, which alone can have
 * events in common with a sliding window that ends now: what a subject does at this moment is never part of its usual.
 *
 * <p>The mean is linear in what was added, so the order in which partial sums arrive does not matter, and a late one adds
 * what it would have added in time. One thread.
 */
public final class Baseline implements History {
    /** The fewest windows for a mean, unless the whole baseline is shorter. */
    private static final int ENOUGH = 10;

    /** Its objects without the sums. */
    private static final long EMPTY_BYTES = 104;

    /** No window yet. */
    public static final long NEVER = Long.MIN_VALUE;

    private long window = NEVER;
    private long first;
    /** Up to this window nothing counts: it was frozen. */
    private long frozen = NEVER;

    private final double[] current;
    private final double[] previous;
    private final double[] mean;

    /** @param sums how many sums are kept */
    public Baseline(int sums) {
        current = new double[sums];
        previous = new double[sums];
        mean = new double[sums];
    }

    /**
     * How a mean is taken.
     *
     * @param windowMillis length of a window
     * @param alpha the weight of the newest window
     * @param enough the fewest windows for a mean
     */
    public record Span(long windowMillis, double alpha, long enough) {

        /** Over so long, in windows of this length, both in milliseconds. */
        public static Span of(long baselineMillis, long windowMillis) {
            long windows = Math.max(1, -Math.floorDiv(-baselineMillis, windowMillis));
            double alpha = -Math.expm1(-(double) windowMillis / baselineMillis);
            return new Span(windowMillis, alpha, Math.min(ENOUGH, windows));
        }

        long windowOf(long time) {
            return Math.floorDiv(time, windowMillis);
        }
    }

    /** Adds to the window that {@code time} falls into; one amount for each sum. */
    public void add(Span span, long time, long... amounts) {
        long to = span.windowOf(time);
        moveTo(span, to);
        if (to <= frozen) {
            return;
        }
        if (to < first) {
            first = to;
        }
        if (to == window) {
            add(current, 1, amounts);
        } else if (to == window - 1) {
            add(previous, 1, amounts);
        } else {
            add(mean, span.alpha * Math.pow(1 - span.alpha, (double) window - 2 - to), amounts);
        }
    }

    /** Lets time pass without counting: windows that begin before {@code time} and after the last one are left out. */
    public void skip(Span span, long time) {
        long to = span.windowOf(time);
        if (window == NEVER) {
            moveTo(span, to);
            frozen = to;
        } else if (to > window) {
            first += to - window;
            window = to;
            frozen = to;
        }
    }

    /** Lets time pass in which nothing happened. */
    public void pass(Span span, long time) {
        moveTo(span, span.windowOf(time));
    }

    private void moveTo(Span span, long to) {
        if (window == NEVER) {
            window = to;
            first = to;
        }
        for (; window < to; window++) {
            for (int i = 0; i < mean.length; i++) {
                mean[i] = (1 - span.alpha) * mean[i] + span.alpha * previous[i];
                previous[i] = current[i];
                current[i] = 0;
            }
            if (to - window > 2) {
                decay(span, to - window - 2);
            }
        }
    }

    /** Many windows in which nothing happened, all at once. */
    private void decay(Span span, long windows) {
        if (Arrays.stream(previous).allMatch(sum -> sum == 0)
                && Arrays.stream(current).allMatch(sum -> sum == 0)) {
            double left = Math.pow(1 - span.alpha, (double) windows);
            for (int i = 0; i < mean.length; i++) {
                mean[i] *= left;
            }
            window += windows;
        }
    }

    private static void add(double[] to, double weight, long[] amounts) {
        for (int i = 0; i < to.length; i++) {
            to[i] += weight * (double) amounts[i];
        }
    }

    /** The number of the newest window, or {@link #NEVER}. */
    public long newest() {
        return window;
    }

    /** Returns whether {@code time} falls into the newest window: for older ones the mean already holds too much. */
    public boolean at(Span span, long time) {
        return span.windowOf(time) == window;
    }

    /** Returns whether enough windows have passed. */
    public boolean known(Span span) {
        return windows() >= span.enough;
    }

    private long windows() {
        return window == NEVER ? 0 : window - 1 - first;
    }

    /** The usual sum of a window, of the windows so far; ask only when it is {@link #known}. */
    public double usual(Span span, int sum) {
        return mean[sum] / -Math.expm1(windows() * Math.log1p(-span.alpha));
    }

    /** The mean as if nothing had happened before the first window: to be compared with others of the same span and time. */
    public double raw(int sum) {
        return mean[sum];
    }

    @Override
    public byte[] encode() {
        byte[] to = new byte[Varints.LONGEST * (4 + 3 * mean.length)];
        int at = Varints.put(to, 0, mean.length);
        at = Varints.put(to, at, Math.max(0, window));
        at = Varints.put(to, at, Math.max(0, first));
        at = Varints.put(to, at, Math.max(0, frozen));
        for (double[] sums : new double[][] {current, previous, mean}) {
            for (double sum : sums) {
                at = Varints.put(to, at, Double.doubleToLongBits(sum));
            }
        }
        return Arrays.copyOf(to, at);
    }

    @Override
    public long bytes() {
        return EMPTY_BYTES + 3L * Double.BYTES * mean.length;
    }

    /** Reads what {@link #encode} wrote. */
    public static Baseline decode(byte[] bytes) throws MalformedRecord {
        VarintReader in = new VarintReader(bytes, 0);
        Baseline baseline = new Baseline((int) in.next("baseline.sums", 4));
        baseline.window = in.next("baseline.window");
        baseline.first = in.next("baseline.first");
        baseline.frozen = in.next("baseline.frozen");
        for (double[] sums : new double[][] {baseline.current, baseline.previous, baseline.mean}) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] = Double.longBitsToDouble(in.next("baseline.sum", Double.doubleToLongBits(Double.MAX_VALUE)));
            }
        }
        in.end("baseline");
        return baseline;
    }
}
