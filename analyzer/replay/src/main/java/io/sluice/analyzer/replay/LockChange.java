package io.sluice.analyzer.replay;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Change of one lock under other policies.
 *
 * @param before the lock under the old ones, {@code null} when it comes or is split off
 * @param now the lock under the new ones, {@code null} when it goes or is merged
 * @param kinds what is different, at least one
 */
record LockChange(@Nullable TriedLock before, @Nullable TriedLock now, List<Kind> kinds) {

    /** How two locks can differ. */
    enum Kind {
        COMES("comes"),
        GOES("goes"),
        /** An old lock that is part of a longer one now. */
        MERGED("merged"),
        /** A new lock that is cut off from a longer one. */
        SPLIT("split"),
        STARTS_EARLIER("startsEarlier"),
        STARTS_LATER("startsLater"),
        ENDS_EARLIER("endsEarlier"),
        ENDS_LATER("endsLater"),
        MODE("mode"),
        /** One only reports, because of its policy. */
        SHADOW("shadow"),
        /** One only reports, because of the guard. */
        GUARDED("guarded"),
        /** Nothing of the above, and still other requests are rejected: another rate, or other requests are closed. */
        REJECTED("rejected");

        private final String json;

        Kind(String json) {
            this.json = json;
        }

        /** As reports for programs spell it. */
        String json() {
            return json;
        }
    }

    /** The lock that there is. */
    TriedLock either() {
        TriedLock one = now != null ? now : before;
        if (one == null) {
            throw new IllegalStateException("a change of nothing");
        }
        return one;
    }

    /** @param split whether the subject had an older lock then, which now is matched with another */
    static LockChange comes(TriedLock lock, boolean split) {
        return new LockChange(null, lock, List.of(split ? Kind.SPLIT : Kind.COMES));
    }

    /** @param merged whether the subject has a lock then, which is matched with another */
    static LockChange goes(TriedLock lock, boolean merged) {
        return new LockChange(lock, null, List.of(merged ? Kind.MERGED : Kind.GOES));
    }

    /** The change from one lock to another of the same subject; {@code null} when they are alike. */
    static @Nullable LockChange between(TriedLock before, TriedLock now) {
        ReplayLock old = before.lock();
        ReplayLock its = now.lock();
        List<Kind> kinds = new ArrayList<>();
        add(kinds, its.at() < old.at(), Kind.STARTS_EARLIER);
        add(kinds, its.at() > old.at(), Kind.STARTS_LATER);
        add(kinds, its.until() < old.until(), Kind.ENDS_EARLIER);
        add(kinds, its.until() > old.until(), Kind.ENDS_LATER);
        add(kinds, !its.mode().equals(old.mode()), Kind.MODE);
        add(kinds, its.shadow() != old.shadow(), Kind.SHADOW);
        add(kinds, its.guarded() != old.guarded(), Kind.GUARDED);
        add(kinds, kinds.isEmpty() && now.toll().rejected() != before.toll().rejected(), Kind.REJECTED);
        return kinds.isEmpty() ? null : new LockChange(before, now, List.copyOf(kinds));
    }

    private static void add(List<Kind> kinds, boolean holds, Kind kind) {
        if (holds) {
            kinds.add(kind);
        }
    }
}
