package io.sluice.agent.internal.gate;

import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Permit;

/**
 * A permit that was taken before the request waited for a central store: that wait is a delay of the gate, and no sign of a slow service. Thread-safe.
 *
 * @param permit what was taken
 * @param waitNanos the wait after it was taken, nanoseconds
 */
record WaitedPermit(Permit permit, long waitNanos) implements Permit {

    @Override
    public void close(Completion completion, long delayNanos) {
        permit.close(completion, delayNanos + waitNanos);
    }

    @Override
    public void settle(long actual) {
        permit.settle(actual);
    }
}
