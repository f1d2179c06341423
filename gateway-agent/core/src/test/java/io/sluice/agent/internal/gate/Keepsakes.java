package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.Lease;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.Match;

/** Gates and locks to put into a table. */
final class Keepsakes {
    private static final BrokerClock CLOCK = new BrokerClock();
    private static final LockKind KIND = new LockKind(
            new LockKind.Said("p", Mode.BLOCK, 0, null, false, false, Match.ANY, CLOCK, "decide-0", 1),
            new LockRejections("p", Verdict.Reason.LOCKED));

    private Keepsakes() {}

    static Gate gate(SubjectKey key) {
        return new Gate(key, 0);
    }

    static HeldLock lock(SubjectKey key) {
        return new HeldLock(key, KIND, new Standing(Mode.BLOCK, 0, 0, null, false, 1, new Lease(CLOCK, 1, 1), null));
    }
}
