package io.sluice.analyzer.replay;

import io.sluice.contract.lock.Evidence;
import java.util.List;

/**
 * One lock, from its opening to its end.
 *
 * @param at time of the event that crossed the threshold, epoch milliseconds
 * @param until when it ended, or was meant to when the log ended, epoch milliseconds
 * @param mode as a policy file spells it
 * @param shadow whether it would only have reported
 * @param guarded whether the guard keeps it a shadow, to its end or to that of the log
 * @param released whether it ended early because demand fell
 * @param evidence why it opened
 */
public record ReplayLock(
        String policy,
        List<String> subject,
        long at,
        long until,
        String mode,
        boolean shadow,
        boolean guarded,
        boolean released,
        Evidence evidence) {

    /** Returns it with another end, and as the guard has it now. */
    ReplayLock rewritten(long end, boolean reports, boolean heldBack) {
        return new ReplayLock(policy, subject, at, end, mode, reports, heldBack, released, evidence);
    }

    ReplayLock released(long end) {
        return new ReplayLock(policy, subject, at, end, mode, shadow, guarded, true, evidence);
    }
}
