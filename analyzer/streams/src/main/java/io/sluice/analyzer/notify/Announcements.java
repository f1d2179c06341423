package io.sluice.analyzer.notify;

import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells news from repetition: a lock's record is written again and again while it lasts. What was told is remembered, for the subjects that
 * moved last; of a lock that is not remembered only what has just happened is news. One thread.
 */
final class Announcements {
    /** A record is appended within moments of its decision; one that comes this much later repeats an old one. */
    static final long NEW_MILLIS = 60_000;

    private final int most;
    private final AtomicLong skipped = new AtomicLong();
    private final Map<List<String>, Told> told = new LinkedHashMap<>(16, 0.75f, true);

    /** @param event what was said of it last; empty while nothing was, for it was over before anybody could be told */
    private record Told(long since, String event) {}

    /** @param most so many subjects are remembered */
    Announcements(int most) {
        this.most = most;
    }

    /**
     * What a record says that was not said before, if anything.
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
        long happened = said.event().equals(Announcement.RELEASE) ? lock.until() : lock.since();
        return append - happened <= NEW_MILLIS ? Optional.of(said) : Optional.empty();
    }

    /** How many locks were over before anybody could be told of them. Asked by any thread. */
    long over() {
        return skipped.get();
    }

    /** Nothing is remembered: others may have told in the meantime. */
    void forget() {
        told.clear();
    }
}
