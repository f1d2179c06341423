package io.sluice.analyzer.fleet;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The newest heartbeat of each agent. An agent that shut down is removed; a silent one stays for an hour. At most {@value #MOST} agents are kept,
 * with the counts by policy of as many as fit into {@value #MOST_BYTES} bytes. Thread-safe.
 */
public final class Agents {
    /** The most agents of a fleet. */
    public static final int MOST = 20_000;

    /** The most that counts by policy take, by estimate. */
    static final long MOST_BYTES = 32 << 20;

    /** Of an entry of a map and its number, beside the name. */
    private static final int ENTRY_BYTES = 100;

    /** Three default heartbeat intervals, so that a lost heartbeat does not matter. */
    public static final long ALIVE_MILLIS = 15_000;

    private static final long KEPT_MILLIS = 3_600_000;

    private final Map<String, Appended<AgentHeartbeat>> agents = new HashMap<>();
    /** By agent, of those that are kept. */
    private final Map<String, AgentProcesses> processes = new HashMap<>();

    private long newest;
    private long unreadable;
    private long leftOut;
    /** What the counts by policy take. */
    private long bytes;

    /** Takes a record of the agents topic. */
    public synchronized void accept(byte @Nullable [] key, byte @Nullable [] value, long append) {
        newest = Math.max(newest, append);
        if (key == null) {
            return;
        }
        if (value == null) {
            String agent = new String(key, StandardCharsets.UTF_8);
            bytes -= bytes(agents.remove(agent));
            processes.remove(agent);
            return;
        }
        try {
            AgentHeartbeatJson.read(key, value).ifPresent(beat -> heard(beat, append));
        } catch (MalformedRecord e) {
            unreadable++;
        }
    }

    /** Takes a heartbeat. */
    public synchronized void heard(AgentHeartbeat beat, long append) {
        newest = Math.max(newest, append);
        if (!agents.containsKey(beat.agent()) && agents.size() >= MOST) {
            remove(heard -> !alive(heard, newest));
            if (agents.size() >= MOST) {
                leftOut++;
                return;
            }
        }
        Appended<AgentHeartbeat> heard = new Appended<>(beat, append);
        long others = bytes - bytes(agents.get(beat.agent()));
        if (others + bytes(heard) > MOST_BYTES) {
            heard = new Appended<>(beat.withoutPolicies(), append);
        }
        agents.put(beat.agent(), heard);
        processes.merge(
                beat.agent(), AgentProcesses.NONE.heard(beat, append), (before, one) -> before.heard(beat, append));
        bytes = others + bytes(heard);
    }

    private void remove(Predicate<Appended<AgentHeartbeat>> unwanted) {
        if (agents.values().removeIf(unwanted)) {
            processes.keySet().retainAll(agents.keySet());
            bytes = agents.values().stream().mapToLong(Agents::bytes).sum();
        }
    }

    private static long bytes(@Nullable Appended<AgentHeartbeat> heard) {
        return heard == null
                ? 0
                : bytes(heard.record().rejectedByPolicy())
                        + bytes(heard.record().wouldRejectByPolicy());
    }

    private static long bytes(Map<String, Long> counts) {
        long bytes = 0;
        for (String name : counts.keySet()) {
            bytes += ENTRY_BYTES + 2L * name.length();
        }
        return bytes;
    }

    /** Removes agents that have been silent for an hour: they were replaced under another name. */
    synchronized void sweep(long now) {
        remove(heard -> now - heard.append() > KEPT_MILLIS);
    }

    /** Forgets all: the topic is read from its beginning. */
    public synchronized void clear() {
        agents.clear();
        processes.clear();
        bytes = 0;
        leftOut = 0;
        unreadable = 0;
    }

    /** Returns whether an agent with this heartbeat is alive at a broker time. */
    public static boolean alive(Appended<AgentHeartbeat> heard, long now) {
        return now - heard.append() <= ALIVE_MILLIS;
    }

    /** Returns all, by service and name. */
    public synchronized List<Appended<AgentHeartbeat>> all() {
        List<Appended<AgentHeartbeat>> all = new ArrayList<>(agents.values());
        all.sort(Comparator.<Appended<AgentHeartbeat>, String>comparing(
                        heard -> heard.record().service())
                .thenComparing(heard -> heard.record().agent()));
        return all;
    }

    /** Returns how many processes send heartbeats with an agent's id: more than one where it was given to several and is alive at a broker time. */
    public synchronized int processes(Appended<AgentHeartbeat> heard, long now) {
        AgentProcesses known = processes.getOrDefault(heard.record().agent(), AgentProcesses.NONE);
        return alive(heard, now) ? known.alive() : 1;
    }

    /** Returns the number of agents that were alive at the time of the newest heartbeat. */
    public int alive() {
        return latest().size();
    }

    private synchronized List<Appended<AgentHeartbeat>> latest() {
        return agents.values().stream().filter(heard -> alive(heard, newest)).toList();
    }

    /** Returns the rejections of live agents by policy, since each agent's start; a policy without any is not in it. */
    public Map<String, Long> rejected() {
        return sums(AgentHeartbeat::rejectedByPolicy);
    }

    /** Returns their would-be rejections, likewise. */
    public Map<String, Long> wouldReject() {
        return sums(AgentHeartbeat::wouldRejectByPolicy);
    }

    private Map<String, Long> sums(Function<AgentHeartbeat, Map<String, Long>> counts) {
        Map<String, Long> sums = new TreeMap<>();
        for (Appended<AgentHeartbeat> heard : latest()) {
            counts.apply(heard.record()).forEach((policy, count) -> sums.merge(policy, count, Agents::plus));
        }
        return sums;
    }

    // a heartbeat can hold any number, and a sum must not turn negative
    private static long plus(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /** Returns the newest append time, 0 for none. */
    public synchronized long newest() {
        return newest;
    }

    /** Returns the number of heartbeats that were ignored because there were {@value #MOST} other agents. */
    public synchronized long leftOut() {
        return leftOut;
    }

    /** Returns the number of heartbeats that could not be read. */
    public synchronized long unreadable() {
        return unreadable;
    }
}
