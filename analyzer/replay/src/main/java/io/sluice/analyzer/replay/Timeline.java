package io.sluice.analyzer.replay;

import io.sluice.contract.event.RequestEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests and would-be rejections of a log over time, in at most {@value #MOST} steps of equal length. Confined to one thread.
 */
final class Timeline {
    /** Most steps. */
    static final int MOST = 240;

    /** Callers whose requests are counted separately. */
    static final int CALLERS = 7;

    private static final long DAY_MILLIS = 86_400_000;
    private static final long[] STEPS = {
        1_000,
        2_000,
        5_000,
        10_000,
        15_000,
        30_000,
        60_000,
        120_000,
        300_000,
        600_000,
        900_000,
        1_800_000,
        3_600_000,
        7_200_000,
        10_800_000,
        21_600_000,
        43_200_000,
        DAY_MILLIS
    };

    private final long from;
    private final long stepMillis;
    private final long[] requests;
    private final double[] rejected;
    private final Map<String, long[]> callers = new HashMap<>();
    private final List<String> order;

    /** Requests of one caller in each step. */
    record Row(String caller, List<Long> requests) {}

    /**
     * The whole of it.
     *
     * @param from start of the first step, epoch milliseconds, a multiple of the step
     * @param rejected requests that the locks would have rejected in each step
     */
    record Steps(long from, long stepMillis, List<Long> requests, List<Long> rejected, List<Row> callers) {}

    /**
     * Covers the times from {@code from} to {@code to}, both inclusive, in epoch milliseconds.
     *
     * @param callers those that are counted separately, the busiest first
     */
    Timeline(long from, long to, List<String> callers) {
        stepMillis = step(to - from);
        this.from = Math.floorDiv(from, stepMillis) * stepMillis;
        int steps = (int) ((to - this.from) / stepMillis) + 1;
        requests = new long[steps];
        rejected = new double[steps];
        order = List.copyOf(callers);
        order.forEach(caller -> this.callers.put(caller, new long[steps]));
    }

    private static long step(long span) {
        for (long step : STEPS) {
            // the first step begins before the first event
            if (span / step + 2 <= MOST) {
                return step;
            }
        }
        return DAY_MILLIS * (span / DAY_MILLIS / (MOST - 2) + 1);
    }

    void add(RequestEvent event) {
        int at = index(event.time());
        requests[at] += event.count();
        long[] its = callers.get(event.caller());
        if (its != null) {
            its[at] += event.count();
        }
    }

    /** Adds requests that a lock would have rejected. */
    void reject(long time, double count) {
        rejected[index(time)] += count;
    }

    private int index(long time) {
        return (int) Math.max(0, Math.min(requests.length - 1, (time - from) / stepMillis));
    }

    Steps steps() {
        List<Long> whole = new ArrayList<>();
        for (double some : rejected) {
            whole.add(Math.round(some));
        }
        return new Steps(
                from,
                stepMillis,
                list(requests),
                whole,
                order.stream()
                        .map(caller -> new Row(caller, list(callers.getOrDefault(caller, new long[0]))))
                        .toList());
    }

    private static List<Long> list(long[] values) {
        List<Long> list = new ArrayList<>();
        for (long value : values) {
            list.add(value);
        }
        return list;
    }
}
