package io.sluice.contract.lock;

import java.util.Map;

/**
 * A decide task's sign of life, written each second to its own gate-locks partition. Its append time tells every reader
 * that partition's broker time.
 *
 * @param version the task, its epoch and sequence number
 * @param instance the analyzer instance that runs the task
 * @param time the writer's own wall clock, epoch milliseconds, for people only
 * @param liveAgents how many agents of each service are alive, for {@link Mode#THROTTLE}
 * @param active about how many subjects of each policy the task sees, for the guard of the other tasks
 * @param enforced how many locks of each policy it holds that close a gate, for the same
 */
public record AnalyzerHeartbeat(
        Version version,
        String instance,
        long time,
        Map<String, Integer> liveAgents,
        Map<String, Integer> active,
        Map<String, Integer> enforced)
        implements GateRecord {
    public AnalyzerHeartbeat {
        liveAgents = Map.copyOf(liveAgents);
        active = Map.copyOf(active);
        enforced = Map.copyOf(enforced);
    }

    /** One that says nothing to guards. */
    public AnalyzerHeartbeat(Version version, String instance, long time, Map<String, Integer> liveAgents) {
        this(version, instance, time, liveAgents, Map.of(), Map.of());
    }
}
