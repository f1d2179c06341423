package io.sluice.analyzer.replay;

import io.sluice.analyzer.decide.LockSink;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes one entry of all the records that a lock writes in its life. */
final class LockJournal implements LockSink {
    private final List<ReplayLock> locks = new ArrayList<>();
    private final Map<Gate, Open> open = new HashMap<>();
    private long now;

    private record Gate(String policy, List<String> subject) {}

    private record Open(int position, long since) {}

    void now(long time) {
        now = time;
    }

    @Override
    public void lock(GateLock lock) {
        Gate gate = new Gate(lock.policy(), lock.subject());
        Evidence evidence = lock.evidence();
        if (lock.mode() == Mode.OPEN) {
            Open last = open.remove(gate);
            if (last != null) {
                locks.set(last.position(), locks.get(last.position()).released(now));
            }
            return;
        }
        Open last = open.get(gate);
        if (last != null && last.since() == lock.since()) {
            locks.set(last.position(), locks.get(last.position()).until(lock.until()));
        } else if (evidence != null) {
            open.put(gate, new Open(locks.size(), lock.since()));
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

    @Override
    public void tombstone(String policy, List<String> subject) {
        open.remove(new Gate(policy, subject));
    }

    List<ReplayLock> locks() {
        return List.copyOf(locks);
    }
}
