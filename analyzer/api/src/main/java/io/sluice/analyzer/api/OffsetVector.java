package io.sluice.analyzer.api;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The offsets up to which the partitions of a topic have been read. As an event id, {@code 0:41,1:7}, it is valid at every instance. */
final class OffsetVector {
    private final Map<Integer, Long> offsets = new TreeMap<>();

    void reach(int partition, long offset) {
        offsets.merge(partition, offset, Math::max);
    }

    /** Returns the offset of the last record read, −1 for none. */
    long of(int partition) {
        return offsets.getOrDefault(partition, -1L);
    }

    /** Returns whether some partition was read farther than in {@code other}. */
    boolean beyond(OffsetVector other) {
        return offsets.entrySet().stream().anyMatch(one -> one.getValue() > other.of(one.getKey()));
    }

    void clear() {
        offsets.clear();
    }

    String id() {
        return offsets.entrySet().stream()
                .map(one -> one.getKey() + ":" + one.getValue())
                .collect(Collectors.joining(","));
    }

    /** Parses an event id; empty when the text is not one. */
    static Optional<OffsetVector> of(String id) {
        OffsetVector places = new OffsetVector();
        if (id.isEmpty()) {
            return Optional.of(places);
        }
        for (String one : id.split(",", -1)) {
            if (!one.matches("[0-9]{1,6}:[0-9]{1,18}")) {
                return Optional.empty();
            }
            int colon = one.indexOf(':');
            places.reach(Integer.parseInt(one.substring(0, colon)), Long.parseLong(one.substring(colon + 1)));
        }
        return Optional.of(places);
    }
}
