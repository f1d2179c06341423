package io.sluice.analyzer.topology;

import io.sluice.analyzer.fleet.Agents;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.Freshness;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The agents with recent heartbeats, by service. Thread-safe. */
final class LiveAgents {

    private final Map<String, Sign> signs = new ConcurrentHashMap<>();

    private final AtomicLong newest = new AtomicLong(Long.MIN_VALUE);

    private record Sign(String service, Freshness freshness, boolean partsAccepted, long append) {}

    /** An agent's sign of life, by the broker's time of it. */
    void heard(AgentHeartbeat beat, long append) {
        signs.put(beat.agent(), new Sign(beat.service(), beat.freshness(), beat.partsAccepted(), append));
        newest.accumulateAndGet(append, Math::max);
    }

    /** Removes an agent that has shut down. */
    void gone(String agent) {
        signs.remove(agent);
    }

    /**
     * How many agents of each service are alive; those that are not are removed.
     *
     * @param now the broker's time; the newest heartbeat's time where that is later
     */
    Map<String, Integer> alive(long now) {
        Map<String, Integer> alive = new HashMap<>();
        long least = Math.max(now, newest.get()) - Agents.ALIVE_MILLIS;
        signs.values().removeIf(sign -> sign.append < least);
        signs.values().forEach(sign -> alive.merge(sign.service, 1, Integer::sum));
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
