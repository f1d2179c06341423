package io.sluice.analyzer.run;

import io.sluice.contract.policy.PolicySet;
import java.util.List;

/** What the exact method says of each lock that opened. */
final class Verdicts {
    private Verdicts() {}

    /**
     * One lock.
     *
     * @param observed what the analyzer had counted
     * @param exact the caller's exact sum in the same window
     * @param right whether the caller was over
     */
    record Verdict(String caller, long crossed, double observed, long exact, boolean right, boolean guarded) {}

    static List<Verdict> of(PolicySet policies, LoggedRequests requests, LockHistory locks, long limit) {
        long window = policies.policies().get(0).window().millis();
        return locks.openings().stream()
                .map(lock -> {
                    long crossed = lock.evidence.crossed();
                    long exact = requests.sum(lock.caller, crossed - window, crossed);
                    return new Verdict(
                            lock.caller, crossed, lock.evidence.observed(), exact, exact > limit, lock.guarded);
                })
                .toList();
    }
}
