package io.sluice.contract.lock;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts that are reported part by part, so that a record stays small however many names there are: each call returns the next names in
 * alphabetical order that fit, and begins again after the last one. Not thread-safe.
 */
public final class CountParts {
    private final int mostBytes;
    private final boolean ends;
    /** Names whose last reported count is not 0, where ends are reported. */
    private final Set<String> counted = new HashSet<>();

    private String last = "";

    /**
     * @param mostBytes the most bytes of a part as JSON; a single name may take more
     * @param ends whether a name that has no count any more is reported once with 0; a reader cannot see by a part that it is gone
     */
    public CountParts(int mostBytes, boolean ends) {
        this.mostBytes = mostBytes;
        this.ends = ends;
    }

    /** Returns all counts where they fit, else the next part of them. */
    public Map<String, Integer> next(Map<String, Integer> counts) {
        Map<String, Integer> all = withEnds(counts);
        Map<String, Integer> part = AnalyzerHeartbeat.bytes(all) <= mostBytes ? all : part(all);
        if (ends) {
            counted.addAll(part.keySet());
            counted.removeIf(name -> part.getOrDefault(name, 1) == 0);
        }
        return part;
    }

    private Map<String, Integer> withEnds(Map<String, Integer> counts) {
        if (counts.keySet().containsAll(counted)) {
            return counts;
        }
        Map<String, Integer> all = new HashMap<>(counts);
        counted.forEach(name -> all.putIfAbsent(name, 0));
        return all;
    }

    private Map<String, Integer> part(Map<String, Integer> counts) {
        TreeMap<String, Integer> sorted = new TreeMap<>(counts);
        Map<String, Integer> part = new HashMap<>();
        String before = last;
        if (fill(part, sorted.tailMap(before, false), mostBytes)) {
            fill(part, sorted.headMap(before, true), mostBytes - AnalyzerHeartbeat.bytes(part));
        }
        return part;
    }

    /** Returns whether all of them fit. */
    private boolean fill(Map<String, Integer> part, SortedMap<String, Integer> from, int bytes) {
        int left = bytes;
        for (Map.Entry<String, Integer> count : from.entrySet()) {
            left -= AnalyzerHeartbeat.bytes(count);
            if (left < 0 && !part.isEmpty()) {
                return false;
            }
            part.put(count.getKey(), count.getValue());
            last = count.getKey();
        }
        return true;
    }
}
