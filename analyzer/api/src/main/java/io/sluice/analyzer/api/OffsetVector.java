package io.sluice.analyzer.api;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How far each partition of a topic has been read, as an event's id: {@code 0:41,1:7}. It means the same at every instance. */
final class OffsetVector {
    private final Map<Integer, Long> offsets = new TreeMap<>();

    void reach(int partition, long offset) {
        offsets.merge(partition, offset, Math::max);
    }

    /** The offset of the last record read, −1 for none. */
    long of(int partition) {
        return offsets.getOrDefault(partition, -1L);
    }

    /** Whether some partition was read farther than {@code other} says. */
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

    /** Nothing when it is no id of ours. */
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
