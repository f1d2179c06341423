package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.Lease;
import io.sluice.contract.operator.OperatorRecord;
import org.jspecify.annotations.Nullable;

/**
 * Whether this agent may reject at all: not when it was configured not to, nor when an operator said so, to all agents
 * or to this one. Any no wins. Thread-safe.
 */
final class KillSwitch {
    private final String agent;
    private final boolean configuredOff;
    private volatile @Nullable Lease offForAll;
    private volatile @Nullable Lease offForThis;

    KillSwitch(String agent, boolean enforce) {
        this.agent = agent;
        this.configuredOff = !enforce;
    }

    void operator(OperatorRecord.Enforce record, Lease lease) {
        if (record.agent() == null) {
            offForAll = record.enforce() ? null : lease.notBeyond(offForAll);
        } else if (record.agent().equals(agent)) {
            offForThis = record.enforce() ? null : lease.notBeyond(offForThis);
        }
    }

    /** The record for all agents ({@code null}) or for one was deleted. */
    void gone(@Nullable String forAgent) {
        if (forAgent == null) {
            offForAll = null;
        } else if (forAgent.equals(agent)) {
            offForThis = null;
        }
    }

    boolean off(long now) {
        return configuredOff || holds(offForAll, now) || holds(offForThis, now);
    }

    private static boolean holds(@Nullable Lease off, long now) {
        return off != null && !off.over(now);
    }
}
