package io.sluice.agent.internal.lease;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When each analyzer task was last heard of. Each partition of gate-locks has one task, so a partition that nobody
 * speaks on is as bad as one whose task fell silent. Thread-safe.
 */
public final class HeartbeatAges {
    private final Map<Integer, Beat> newest = new ConcurrentHashMap<>();
    private final BrokerClocks clocks;
    private final long staleAfter;
    private volatile int partitions = 1;

    private record Beat(String task, long append) {}

    /** @param staleAfter how old a task's newest heartbeat may be, milliseconds */
    public HeartbeatAges(BrokerClocks clocks, long staleAfter) {
        this.clocks = clocks;
        this.staleAfter = staleAfter;
    }

    /**
     * A task was heard of.
     *
     * @param isLive whether it was appended after the reading began; what is read again may be older than what was heard
     */
    public void heard(int partition, AnalyzerHeartbeat heartbeat, long append, boolean isLive) {
        Beat beat = new Beat(heartbeat.version().task(), append);
        // what is live counts however early: the broker's clock may have been set back
        newest.merge(partition, beat, (known, next) -> isLive || next.append >= known.append ? next : known);
    }

    /** How many partitions gate-locks has, as soon as it is known; a topic that was made anew may have fewer. */
    public void partitions(int count) {
        partitions = Math.max(1, count);
        newest.keySet().removeIf(partition -> partition >= partitions);
    }

    /** Whether every task's newest heartbeat is young enough. */
    public boolean fresh(long now) {
        return silent(now).isEmpty();
    }

    /** Age of each known task's newest heartbeat in milliseconds. */
    public Map<String, Long> ages(long now) {
        Map<String, Long> ages = new TreeMap<>();
        newest.forEach((partition, beat) -> ages.put(beat.task, age(partition, beat, now)));
        return ages;
    }

    /** Who is not heard of, in words. */
    public List<String> silent(long now) {
        List<String> silent = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            if (!newest.containsKey(partition)) {
                silent.add("no analyzer task was heard on partition " + partition);
            }
        }
        newest.forEach((partition, beat) -> {
            long age = age(partition, beat, now);
            if (age > staleAfter) {
                silent.add(beat.task + " was not heard of for " + age + " ms");
            }
        });
        return silent;
    }

    private long age(int partition, Beat beat, long now) {
        return Math.max(0, clocks.of(partition).now(now) - beat.append);
    }
}
