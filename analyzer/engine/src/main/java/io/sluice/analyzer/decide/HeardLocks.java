package io.sluice.analyzer.decide;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * How many of its enforced locks a task has reported so long ago that all other tasks have heard of them. A heartbeat with a part of the counts, or in a
 * transaction, which is read after the commit, proves nothing. One thread.
 */
final class HeardLocks {
    private final Deque<Report> reports = new ArrayDeque<>();

    private record Report(long time, Map<String, Integer> enforced) {}

    /**
     * Takes note of a heartbeat of the task.
     *
     * @param time broker time in epoch milliseconds, or {@link BrokerClock#UNKNOWN}
     */
    void report(AnalyzerHeartbeat heartbeat, long time) {
        if (time == BrokerClock.UNKNOWN) {
            return;
        }
        // only tasks without transactions follow the positions that are published for all
        boolean proof = heartbeat.positions() && !heartbeat.countsPart();
        reports.addLast(new Report(time, proof ? heartbeat.enforced() : Map.of()));
        // of those that are old enough the newest is needed
        while (reports.size() > 1 && old(secondOldest(), time)) {
            reports.removeFirst();
        }
    }

    private Report secondOldest() {
        return reports.stream().skip(1).findFirst().orElseThrow();
    }

    /** Returns how many locks of a policy all tasks have heard of. Those that are released since leave no room for others meanwhile. */
    int of(String policy, long time) {
        Report oldest = reports.peekFirst();
        if (oldest == null || !old(oldest, time)) {
            return 0;
        }
        int least = Integer.MAX_VALUE;
        for (Report report : reports) {
            least = Math.min(least, report.enforced.getOrDefault(policy, 0));
        }
        return least;
    }

    private static boolean old(Report report, long time) {
        return report.time <= time - GuardRebalancer.HEARING_MILLIS;
    }
}
