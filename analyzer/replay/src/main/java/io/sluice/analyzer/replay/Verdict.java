package io.sluice.analyzer.replay;

import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.analyzer.exact.ExactOracle.Reading;
import org.jspecify.annotations.Nullable;

/**
 * The judgement of the exact method on a lock.
 *
 * @param over the newest span in which the subject was over and that began before the lock did, if there is one
 * @param reading what was read of the subject when the lock opened, {@code null} when nothing was counted against it
 * @param paneMillis the length of the policy's panes
 */
record Verdict(@Nullable Over over, @Nullable Reading reading, long at, long paneMillis) {

    /** Returns whether the subject was over when it crossed, or less than a pane before. */
    boolean holds() {
        return over != null && at < over.lastSeen() + paneMillis;
    }
}
