package io.sluice.analyzer.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two policy sets on the same events. A lock of one and a lock of the other belong together when they have the same policy
 * (by name) and subject and are on at the same time; of several, the first ones. Another one that is on at that time is merged
 * into that lock, or split off.
 *
 * @param changes in the order of their times
 * @param same how many locks are the same under both
 * @param rejectedBefore requests that the old locks would have rejected, all together
 * @param rejectedNow the same of the new ones
 */
public record Comparison(List<LockChange> changes, int same, long rejectedBefore, long rejectedNow) {
    private static final Comparator<LockChange> BY_TIME =
            Comparator.comparingLong(change -> change.either().lock().at());

    private record Gate(String policy, List<String> subject) {}

    static Comparison of(Tried before, Tried now) {
        Map<Gate, List<TriedLock>> old = byGate(before);
        Map<Gate, List<TriedLock>> current = byGate(now);
        List<LockChange> changes = new ArrayList<>();
        int same = 0;
        for (Map.Entry<Gate, List<TriedLock>> entry : current.entrySet()) {
            same += match(old.getOrDefault(entry.getKey(), List.of()), entry.getValue(), changes);
            old.remove(entry.getKey());
        }
        old.values().forEach(locks -> locks.forEach(lock -> changes.add(LockChange.goes(lock, false))));
        changes.sort(BY_TIME);
        return new Comparison(List.copyOf(changes), same, rejected(before), rejected(now));
    }

    /** Both lists are of one subject, whose locks follow each other in time. */
    private static int match(List<TriedLock> old, List<TriedLock> current, List<LockChange> changes) {
        int same = 0;
        int i = 0;
        int j = 0;
        while (i < old.size() || j < current.size()) {
            if (j == current.size() || (i < old.size() && ends(old.get(i)) <= begins(current.get(j)))) {
                changes.add(LockChange.goes(old.get(i), j > 0 && overlap(current.get(j - 1), old.get(i))));
                i++;
            } else if (i == old.size() || ends(current.get(j)) <= begins(old.get(i))) {
                changes.add(LockChange.comes(current.get(j), i > 0 && overlap(old.get(i - 1), current.get(j))));
                j++;
            } else {
                LockChange change = LockChange.between(old.get(i++), current.get(j++));
                if (change == null) {
                    same++;
                } else {
                    changes.add(change);
                }
            }
        }
        return same;
    }

    private static long rejected(Tried tried) {
        return tried.locks().stream().mapToLong(lock -> lock.toll().rejected()).sum();
    }

    private static boolean overlap(TriedLock earlier, TriedLock later) {
        return begins(later) < ends(earlier);
    }

    private static long begins(TriedLock lock) {
        return lock.lock().at();
    }

    private static long ends(TriedLock lock) {
        return lock.lock().until();
    }

    private static Map<Gate, List<TriedLock>> byGate(Tried tried) {
        Map<Gate, List<TriedLock>> byGate = new LinkedHashMap<>();
        for (TriedLock lock : tried.locks()) {
            Gate gate = new Gate(lock.lock().policy(), lock.lock().subject());
            byGate.computeIfAbsent(gate, key -> new ArrayList<>()).add(lock);
        }
        return byGate;
    }

    long count(LockChange.Kind kind) {
        return changes.stream().filter(change -> change.kinds().contains(kind)).count();
    }
}
