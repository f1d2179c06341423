package io.sluice.analyzer.topology;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The counters of all tasks that this process ran. They outlive a task's leaving, so that sums never fall. Thread-safe. */
public final class Tallies {
    private final Map<String, Counts> tasks = new ConcurrentHashMap<>();

    /** The counters of a task; those of its earlier life, if it was here before. */
    Counts of(String task) {
        return tasks.computeIfAbsent(task, name -> new Counts());
    }

    /** Sums over all tasks. */
    public Map<Count, Long> total() {
        Map<Count, Long> total = new EnumMap<>(Count.class);
        for (Counts counts : tasks.values()) {
            counts.snapshot().forEach((count, many) -> total.merge(count, many, Long::sum));
        }
        return total;
    }
}
