package io.sluice.analyzer.notify;

import io.sluice.analyzer.fleet.LockEvent;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes changes from repetitions: a lock's record is written again and again while it lasts. Delivered events are kept for the subjects that
 * moved last; of a lock that is not remembered only what has just happened is news. One thread.
 */
final class Announcements {
    private final int most;
    private final AtomicLong skipped = new AtomicLong();
    private final Map<List<String>, Told> told = new LinkedHashMap<>(16, 0.75f, true);
    /** What the last record replaced. */
    private @Nullable Told former;

    /** @param event the last event; empty while there was none, because the lock was over before one could be delivered */
    private record Told(long since, String event) {}

    /** @param most so many subjects are remembered */
    Announcements(int most) {
        this.most = most;
    }

    /**
     * Returns the event of a record, if it is a change.
     *
     * @param holds whether its lease still runs: a lock that is over is not announced, unless it is written again
     */
    Optional<Announcement> of(GateLock lock, long append, boolean holds) {
        Announcement said = Announcement.of(lock, append);
        List<String> key = GateKeys.of(lock);
        boolean over = !holds && lock.mode() != Mode.OPEN;
        Told known = told.get(key);
        if (over && known != null && known.since == lock.since()) {
            return Optional.empty();
        }
        Told before = told.put(key, new Told(lock.since(), over ? "" : said.event()));
        former = before;
        if (told.size() > most) {
            told.remove(told.keySet().iterator().next());
        }
        if (over) {
            skipped.incrementAndGet();
            return Optional.empty();
        }
        if (before != null && before.since == lock.since()) {
            // the end of what was never announced is no news either
            boolean unheard = before.event.isEmpty() && lock.mode() == Mode.OPEN;
            return unheard || before.event.equals(said.event()) ? Optional.empty() : Optional.of(said);
        }
        return LockEvent.isNew(lock, append) ? Optional.of(said) : Optional.empty();
    }

    /** The lock of the last announcement was over before that could be delivered: what was delivered before it counts again. */
    void over(GateLock lock) {
        boolean same = former != null && former.since == lock.since();
        told.put(GateKeys.of(lock), same ? former : new Told(lock.since(), ""));
        skipped.incrementAndGet();
    }

    /** Returns how many locks were over before an event could be delivered. Thread-safe. */
    long over() {
        return skipped.get();
    }

    /** Resets: other instances may have delivered events in the meantime. */
    void forget() {
        told.clear();
    }
}
