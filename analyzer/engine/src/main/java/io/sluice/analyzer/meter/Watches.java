package io.sluice.analyzer.meter;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** The subjects of a meter that decide tasks watch: loud for some policies until a pane, whatever they make. Not thread-safe. */
final class Watches {
    /** A hash and a {@link Watch} in a map. */
    private static final int BYTES = 96;

    private record Watch(long policies, long untilPane) {
        Watch and(Watch other) {
            return new Watch(policies | other.policies, Math.max(untilPane, other.untilPane));
        }
    }

    private final Map<Long, Watch> watched = new HashMap<>();
    private final QuietTables.Room room;

    /** @param room without room, further subjects are not watched */
    Watches(QuietTables.Room room) {
        this.room = room;
    }

    /** Watches a subject for more policies, or longer, if there is room. */
    void add(long hash, long policies, long untilPane) {
        boolean known = watched.containsKey(hash);
        if (known || room.has(BYTES)) {
            watched.merge(hash, new Watch(policies, untilPane), Watch::and);
            room.add(known ? 0 : BYTES);
        }
    }

    /** Returns the policies for which a subject is watched in a pane. */
    long policies(long hash, long pane) {
        Watch watch = watched.isEmpty() ? null : watched.get(hash);
        return watch == null || watch.untilPane < pane ? 0 : watch.policies;
    }

    /** Takes what another one of the same window watches for policies that are still there, and empties that. */
    void take(Watches former, PolicyBits bits) {
        Map<Long, Watch> taken = Map.copyOf(former.watched);
        former.discard();
        taken.forEach((hash, watch) -> {
            long policies = bits.of(watch.policies);
            if (policies != 0) {
                add(hash, policies, watch.untilPane);
            }
        });
    }

    /** Replaces the sets of policies. */
    void remap(PolicyBits bits) {
        watched.replaceAll((hash, watch) -> new Watch(bits.of(watch.policies), watch.untilPane));
    }

    /** Drops those that ended before a pane, and returns their room. */
    void dropBefore(long pane) {
        drop(watch -> watch.untilPane < pane);
    }

    /** Drops all, and returns their room. */
    void discard() {
        drop(watch -> true);
    }

    private void drop(Predicate<Watch> ended) {
        int before = watched.size();
        watched.values().removeIf(ended);
        room.add((long) BYTES * (watched.size() - before));
    }

    /** Number of subjects; some perhaps no longer watched. */
    int size() {
        return watched.size();
    }
}
