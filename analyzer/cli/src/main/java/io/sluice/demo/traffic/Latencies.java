package io.sluice.demo.traffic;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/** Records the latency of answers of selected callers; for a run of minutes, not for ever. Thread-safe. */
public final class Latencies implements Answers {
    private final Predicate<String> callers;
    private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();

    private record Sample(long sent, long micros) {}

    /** @param callers whose answers count */
    public Latencies(Predicate<String> callers) {
        this.callers = callers;
    }

    @Override
    public void answered(String caller, int status, long sent, long micros) {
        if (callers.test(caller)) {
            samples.add(new Sample(sent, micros));
        }
    }

    /** How many requests were sent in {@code [from, to)} and answered. */
    public long count(long from, long to) {
        return samples.stream()
                .filter(sample -> sample.sent >= from && sample.sent < to)
                .count();
    }

    /**
     * The latency that a part of the requests sent in {@code [from, to)} stayed at or below.
     *
     * @param part 0 to 1
     * @return milliseconds, or NaN when no request was sent then
     */
    public double percentile(double part, long from, long to) {
        long[] sorted = samples.stream()
                .filter(sample -> sample.sent >= from && sample.sent < to)
                .mapToLong(Sample::micros)
                .sorted()
                .toArray();
        return sorted.length == 0
                ? Double.NaN
                : sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)] / 1000.0;
    }
}
