package io.sluice.analyzer.topology;

import io.sluice.analyzer.fleet.AgentProcesses;
import io.sluice.analyzer.fleet.Agents;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.Freshness;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The agents with recent heartbeats, at most {@value Agents#MOST}, by service. Any holder of an agent's credentials can write heartbeats of agents that
 * do not exist, so an agent counts only when it is new or checks requests, and a service has at most {@value #MOST_OF_SERVICE}. Processes that share
 * an id count each, up to {@value AgentProcesses#MOST}: each limits its own requests. Thread-safe.
 */
final class LiveAgents {
    /** The most agents of a service among which the rate of a throttle is divided: the others change nothing. */
    static final int MOST_OF_SERVICE = 1_000;

    private final Map<String, Sign> signs = new ConcurrentHashMap<>();

    private final AtomicLong newest = new AtomicLong(Long.MIN_VALUE);

    private final AtomicLong leftOut = new AtomicLong();

    private record Sign(
            String service, Freshness freshness, boolean partsAccepted, long append, AgentProcesses processes) {}

    /** An agent's sign of life, by the broker's time of it. */
    void heard(AgentHeartbeat beat, long append) {
        newest.accumulateAndGet(append, Math::max);
        Sign before = signs.get(beat.agent());
        if (before == null && signs.size() >= Agents.MOST && !removeSilent(newest.get())) {
            leftOut.incrementAndGet();
            return;
        }
        signs.put(
                beat.agent(),
                new Sign(
                        beat.service(),
                        beat.freshness(),
                        beat.partsAccepted(),
                        append,
                        (before == null ? AgentProcesses.NONE : before.processes).heard(beat, append)));
    }

    private boolean removeSilent(long now) {
        return signs.values().removeIf(sign -> sign.append < now - Agents.ALIVE_MILLIS);
    }

    /** Returns the number of heartbeats that were ignored because there were too many agents. */
    long leftOut() {
        return leftOut.get();
    }

    /** Removes an agent that has shut down. */
    void gone(String agent) {
        signs.remove(agent);
    }

    /**
     * How many processes of agents of each service are alive and have checked requests lately; where none has, how many are alive. Those that are not alive are
     * removed.
     *
     * @param now the broker's time; the newest heartbeat's time where that is later
     */
    Map<String, Integer> alive(long now) {
        Map<String, Integer> alive = new HashMap<>();
        long latest = Math.max(now, newest.get());
        removeSilent(latest);
        Map<String, Integer> idle = new HashMap<>();
        for (Sign sign : signs.values()) {
            int active = sign.processes.active(latest - Agents.ALIVE_MILLIS);
            Map<String, Integer> counts = active > 0 ? alive : idle;
            counts.merge(
                    sign.service,
                    active > 0 ? active : sign.processes.alive(),
                    (count, more) -> Math.min(MOST_OF_SERVICE, count + more));
        }
        idle.forEach(alive::putIfAbsent);
        return alive;
    }

    /** Returns whether all agents accept heartbeats that name some of the services only. */
    boolean partsAccepted() {
        return signs.values().stream().allMatch(Sign::partsAccepted);
    }

    /** Returns the number of live agents that report this freshness. */
    int alive(Freshness freshness) {
        long least = newest.get() - Agents.ALIVE_MILLIS;
        return (int) signs.values().stream()
                .filter(sign -> sign.append >= least && sign.freshness == freshness)
                .count();
    }
}
