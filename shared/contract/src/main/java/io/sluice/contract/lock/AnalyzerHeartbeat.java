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
 */
public record AnalyzerHeartbeat(Version version, String instance, long time, Map<String, Integer> liveAgents)
        implements GateRecord {
    public AnalyzerHeartbeat {
        liveAgents = Map.copyOf(liveAgents);
    }
}
