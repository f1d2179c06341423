package io.sluice.analyzer.replay;

import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.contract.policy.PolicySet;
import java.util.List;

/**
 * Result of one policy set.
 *
 * @param exact whether the exact method was asked
 * @param missed subjects that were over by the exact method and never locked, if it was asked
 */
record Tried(PolicySet set, List<TriedLock> locks, boolean exact, List<Missed> missed) {

    /**
     * A subject that was over and never locked.
     *
     * @param longest the longest span in which it was over
     * @param spans how many there were
     */
    record Missed(Over longest, int spans) {}

    List<ReplayLock> plain() {
        return locks.stream().map(TriedLock::lock).toList();
    }
}
