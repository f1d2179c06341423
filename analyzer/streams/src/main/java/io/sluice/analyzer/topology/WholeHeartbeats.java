package io.sluice.analyzer.topology;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import java.util.HashMap;
import java.util.Map;

/** Puts the counts of a decide task together that its heartbeats report part by part. Not thread-safe. */
final class WholeHeartbeats {
    /** A policy that is in none of so many heartbeats in a row, which name some thousand policies together, has no counts any more. */
    private static final int REMEMBERED = 64;

    private final Map<String, Reported> active = new HashMap<>();
    private final Map<String, Reported> enforced = new HashMap<>();
    private long epoch;
    private long heartbeats;

    /** @param heartbeat number of the heartbeat that it came with */
    private record Reported(int count, long heartbeat) {}

    /** Returns the task's newest heartbeat with the counts of those before it that it does not repeat. */
    AnalyzerHeartbeat whole(AnalyzerHeartbeat newest) {
        if (!newest.countsPart() || newest.version().epoch() != epoch) {
            active.clear();
            enforced.clear();
        }
        epoch = newest.version().epoch();
        if (!newest.countsPart()) {
            return newest;
        }
        heartbeats++;
        return new AnalyzerHeartbeat(
                newest.version(),
                newest.instance(),
                newest.time(),
                newest.liveAgents(),
                merged(active, newest.active()),
                merged(enforced, newest.enforced()),
                newest.refused(),
                newest.positions(),
                newest.agentsPart(),
                false);
    }

    private Map<String, Integer> merged(Map<String, Reported> known, Map<String, Integer> part) {
        part.forEach((policy, count) -> known.put(policy, new Reported(count, heartbeats)));
        known.values().removeIf(reported -> reported.heartbeat <= heartbeats - REMEMBERED);
        Map<String, Integer> counts = new HashMap<>();
        known.forEach((policy, reported) -> counts.put(policy, reported.count));
        return counts;
    }
}
