package io.sluice.analyzer.replay;

import io.sluice.analyzer.decide.LockSink;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes one entry of all the records that a lock writes in its life, and knows which are on. */
final class LockJournal implements LockSink {
    private final List<ReplayLock> locks = new ArrayList<>();
    private final Map<String, Map<List<String>, Held>> held = new HashMap<>();
    private final List<Integer> touched = new ArrayList<>();
    private long now;

    /**
     * A lock that has not been opened again; it may have ended all the same.
     *
     * @param position its place among all locks
     * @param latest its newest record
     */
    record Held(int position, GateLock latest) {}

    void now(long time) {
        now = time;
    }

    @Override
    public void lock(GateLock lock) {
        Map<List<String>, Held> subjects =
                held.computeIfAbsent(lock.policy(), policy -> new TreeMap<>(CompositeKey.ORDER));
        Held last = subjects.get(lock.subject());
        Evidence evidence = lock.evidence();
        if (lock.mode() == Mode.OPEN) {
            if (last != null) {
                subjects.remove(lock.subject());
                set(last.position, locks.get(last.position).released(now));
            }
        } else if (last != null && last.latest.since() == lock.since()) {
            subjects.put(lock.subject(), new Held(last.position, lock));
            set(last.position, locks.get(last.position).rewritten(lock.until(), lock.shadow(), lock.guarded()));
        } else if (evidence != null) {
            touched.add(locks.size());
            subjects.put(lock.subject(), new Held(locks.size(), lock));
            locks.add(new ReplayLock(
                    lock.policy(),
                    lock.subject(),
                    evidence.crossed(),
                    lock.until(),
                    lock.mode().name().toLowerCase(Locale.ROOT),
                    lock.shadow(),
                    lock.guarded(),
                    false,
                    evidence));
        }
    }

    private void set(int position, ReplayLock lock) {
        locks.set(position, lock);
        touched.add(position);
    }

    @Override
    public void tombstone(String policy, List<String> subject) {
        Map<List<String>, Held> subjects = held.get(policy);
        if (subjects != null) {
            subjects.remove(subject);
        }
    }

    /** Returns whether any subject of a policy may be locked. */
    boolean holds(String policy) {
        Map<List<String>, Held> subjects = held.get(policy);
        return subjects != null && !subjects.isEmpty();
    }

    @Nullable
    Held held(String policy, List<String> subject) {
        Map<List<String>, Held> subjects = held.get(policy);
        return subjects == null ? null : subjects.get(subject);
    }

    /** The locks that have opened, ended or got another end since this was asked last. */
    List<ReplayLock> changed() {
        if (touched.isEmpty()) {
            return List.of();
        }
        List<ReplayLock> changed = touched.stream().distinct().map(locks::get).toList();
        touched.clear();
        return changed;
    }

    int count() {
        return locks.size();
    }

    ReplayLock lock(int position) {
        return locks.get(position);
    }

    List<ReplayLock> locks() {
        return List.copyOf(locks);
    }
}
