package io.sluice.analyzer.cli;

import io.sluice.contract.agent.AgentHeartbeat;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Rejections and would-be rejections of live agents, by policy: the sums of their newest heartbeats. Thread-safe. */
final class FleetCounts {
    /** Three default heartbeat intervals, so that a lost heartbeat does not matter. */
    static final long ALIVE_MILLIS = 15_000;

    private final Map<String, Sign> signs = new HashMap<>();
    private long newest = Long.MIN_VALUE;

    private record Sign(AgentHeartbeat heartbeat, long append) {}

    /** An agent's heartbeat, by the broker's time of it. */
    synchronized void heard(AgentHeartbeat heartbeat, long append) {
        signs.put(heartbeat.agent(), new Sign(heartbeat, append));
        newest = Math.max(newest, append);
    }

    /** Removes an agent that has shut down. */
    synchronized void gone(String agent) {
        signs.remove(agent);
    }

    /** Returns the number of agents with a heartbeat within {@link #ALIVE_MILLIS} of the newest of all. */
    synchronized int agents() {
        return alive().size();
    }

    /** The broker's time of the newest heartbeat, {@link Long#MIN_VALUE} when there is none. */
    synchronized long newest() {
        return newest;
    }

    /** Rejections by policy, since each agent's start; a policy without any is not in it. */
    synchronized Map<String, Long> rejected() {
        return sums(AgentHeartbeat::rejectedByPolicy);
    }

    /** Would-be rejections, likewise. */
    synchronized Map<String, Long> wouldReject() {
        return sums(AgentHeartbeat::wouldRejectByPolicy);
    }

    private Map<String, Long> sums(Function<AgentHeartbeat, Map<String, Long>> counts) {
        Map<String, Long> sums = new TreeMap<>();
        for (Sign sign : alive()) {
            counts.apply(sign.heartbeat).forEach((policy, count) -> sums.merge(policy, count, FleetCounts::plus));
        }
        return sums;
    }

    // what stands on a topic can be any number, and a sum must not turn negative
    private static long plus(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    private Collection<Sign> alive() {
        return signs.values().stream()
                .filter(sign -> sign.append >= newest - ALIVE_MILLIS)
                .toList();
    }
}
