package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.LeaseExpiry;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.Match;

/** Gates and locks to put into a table. */
final class SubjectEntries {
    private static final BrokerClock CLOCK = new BrokerClock();
    private static final LockKind KIND = new LockKind(
            new LockKind.LockAttributes("p", Mode.BLOCK, 0, null, false, false, Match.ANY, CLOCK, "decide-0", 1),
            new LockRejections("p", Verdict.Reason.LOCKED));

    private SubjectEntries() {}

    static SubjectGate gate(SubjectKey key) {
        return new SubjectGate(key, 0);
    }

    static LockEntry lock(SubjectKey key) {
        return new LockEntry(
                key, KIND, new LockDecision(Mode.BLOCK, 0, 0, null, false, 1, new LeaseExpiry(CLOCK, 1, 1), null));
    }
}
