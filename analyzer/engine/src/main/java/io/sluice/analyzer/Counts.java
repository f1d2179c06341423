package io.sluice.analyzer;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The counters of one task: written by the task's thread alone, read by any. */
public final class Counts {
    private final Map<Count, AtomicLong> counts = new EnumMap<>(Count.class);
    private final Map<Count, Map<String, AtomicLong>> kinds = new EnumMap<>(Count.class);

    public Counts() {
        for (Count count : Count.values()) {
            counts.put(count, new AtomicLong());
            kinds.put(count, new ConcurrentHashMap<>());
        }
    }

    /** Counts one. */
    public void add(Count count) {
        add(count, 1);
    }

    /** Counts several. */
    public void add(Count count, long more) {
        // one writer: no need for the price of an atomic addition
        AtomicLong counted = cell(count);
        counted.setRelease(counted.getPlain() + more);
    }

    /**
     * Counts one of a kind. For what is rare: it looks the kind up.
     *
     * @param kind a policy's name, or one of a few reasons; never a client's text, since kinds are never removed
     */
    public void add(Count count, String kind) {
        add(count, kind, 1);
    }

    /** Counts several of a kind, as {@link #add(Count, String)} does one. */
    public void add(Count count, String kind, long more) {
        add(count, more);
        kinds(count).computeIfAbsent(kind, any -> new AtomicLong()).addAndGet(more);
    }

    /** How many there were of a kind. */
    public long of(Count count, String kind) {
        AtomicLong counted = kinds(count).get(kind);
        return counted == null ? 0 : counted.get();
    }

    private Map<String, AtomicLong> kinds(Count count) {
        return Objects.requireNonNull(kinds.get(count));
    }

    /** How many there were. */
    public long of(Count count) {
        return cell(count).get();
    }

    private AtomicLong cell(Count count) {
        return Objects.requireNonNull(counts.get(count));
    }

    /** All of them. */
    public Map<Count, Long> snapshot() {
        Map<Count, Long> snapshot = new EnumMap<>(Count.class);
        for (Count count : Count.values()) {
            snapshot.put(count, of(count));
        }
        return snapshot;
    }
}
