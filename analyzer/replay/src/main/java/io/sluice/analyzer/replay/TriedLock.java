package io.sluice.analyzer.replay;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A lock, and what is to be said about it.
 *
 * @param onset since when the subject had been calling without a pause, at most a window before the lock; {@code null}
 *     when nobody asked
 * @param free when the subject's lock before this one ended, {@link Long#MIN_VALUE} without one
 * @param verdict the exact method's, when it was asked for
 */
record TriedLock(
        ReplayLock lock,
        WouldReject toll,
        @Nullable Long onset,
        long free,
        @Nullable Verdict verdict) {

    /**
     * How long it took from the moment when the exact method says over to the lock, in milliseconds; without that method
     * from the subject's first request that was still in the window. Never from before the last lock's end. Unknown
     * where nobody asked, or where the lock doesn't hold.
     */
    OptionalLong detectMillis() {
        Long from = onset;
        if (verdict != null) {
            from = verdict.over() == null || !verdict.holds()
                    ? null
                    : Long.valueOf(verdict.over().from());
        }
        long opened = lock.evidence().decided();
        return from == null ? OptionalLong.empty() : OptionalLong.of(Math.max(0, opened - Math.max(from, free)));
    }
}
