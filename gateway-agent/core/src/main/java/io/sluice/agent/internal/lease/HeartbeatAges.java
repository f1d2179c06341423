package io.sluice.agent.internal.lease;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The age of the last heartbeat of each analyzer task. Each partition of gate-locks has one task, so a partition without heartbeats counts like a
 * silent task. Thread-safe.
 */
public final class HeartbeatAges {
    private final Map<Integer, Beat> newest = new ConcurrentHashMap<>();
    private final BrokerClocks clocks;
    private final long staleAfter;
    private volatile int partitions = 1;

    private record Beat(String task, long append) {}

    /** @param staleAfter the allowed age of a task's last heartbeat, milliseconds */
    public HeartbeatAges(BrokerClocks clocks, long staleAfter) {
        this.clocks = clocks;
        this.staleAfter = staleAfter;
    }

    /**
     * Records a heartbeat.
     *
     * @param isLive whether it was appended after reading began; records that are read again may be older than known ones
     */
    public void heard(int partition, AnalyzerHeartbeat heartbeat, long append, boolean isLive) {
        Beat beat = new Beat(heartbeat.version().task(), append);
        // live heartbeats always count: the broker's clock may have been set back
        newest.merge(partition, beat, (known, next) -> isLive || next.append >= known.append ? next : known);
    }

    /** Sets the number of partitions of gate-locks; a recreated topic may have fewer. */
    public void partitions(int count) {
        partitions = Math.max(1, count);
        newest.keySet().removeIf(partition -> partition >= partitions);
    }

    /** Returns whether every task's last heartbeat is recent enough. */
    public boolean fresh(long now) {
        return silent(now).isEmpty();
    }

    /** Returns the age of each known task's last heartbeat in milliseconds. */
    public Map<String, Long> ages(long now) {
        Map<String, Long> ages = new TreeMap<>();
        newest.forEach((partition, beat) -> ages.put(beat.task, age(partition, beat, now)));
        return ages;
    }

    /** Returns the tasks and partitions without recent heartbeats, in words. */
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
                silent.add(beat.task + " sent no heartbeat for " + age + " ms");
            }
        });
        return silent;
    }

    private long age(int partition, Beat beat, long now) {
        return Math.max(0, clocks.of(partition).now(now) - beat.append);
    }
}
