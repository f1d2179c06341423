package io.sluice.contract.lock;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts that are reported part by part, so that a record stays small however many names there are: each call returns the next names in
 * alphabetical order that fit, and begins again after the last one. Not thread-safe.
 */
public final class CountParts {
    private final int mostBytes;
    private String last = "";

    /** @param mostBytes the most bytes of a part as JSON; a single name may take more */
    public CountParts(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Returns all counts where they fit, else the next part of them. */
    public Map<String, Integer> next(Map<String, Integer> counts) {
        if (AnalyzerHeartbeat.bytes(counts) <= mostBytes) {
            return counts;
        }
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
