package io.sluice.analyzer.replay;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A lock with its figures.
 *
 * @param onset since when the subject had been calling without a pause, at most a window before the lock; {@code null}
 *     when it was not asked for
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
     * Returns the time from the moment when the subject was over by the exact method to the lock, in milliseconds; without that method
     * from the subject's first request that was still in the window. Never from before the last lock's end. Unknown
     * where it was not asked for, or where the lock doesn't hold.
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
