package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.LeaseExpiry;
import io.sluice.contract.operator.OperatorRecord;
import org.jspecify.annotations.Nullable;

/**
 * Switch for the rejections of this agent. Rejections are off when configuration or an operator turns them off, for all agents or for this
 * one; any of these is enough. Thread-safe.
 */
final class KillSwitch {
    private final String agent;
    private final boolean configuredOff;
    private volatile @Nullable LeaseExpiry offForAll;
    private volatile @Nullable LeaseExpiry offForThis;

    KillSwitch(String agent, boolean enforce) {
        this.agent = agent;
        this.configuredOff = !enforce;
    }

    void operator(OperatorRecord.Enforce record, LeaseExpiry lease) {
        if (record.agent() == null) {
            offForAll = record.enforce() ? null : lease.cappedBy(offForAll);
        } else if (record.agent().equals(agent)) {
            offForThis = record.enforce() ? null : lease.cappedBy(offForThis);
        }
    }

    /** Removes the record for all agents ({@code null}) or for one. */
    void gone(@Nullable String forAgent) {
        if (forAgent == null) {
            offForAll = null;
        } else if (forAgent.equals(agent)) {
            offForThis = null;
        }
    }

    boolean off(long now) {
        return configuredOff || offByOperator(now);
    }

    boolean configuredOff() {
        return configuredOff;
    }

    boolean offByOperator(long now) {
        return holds(offForAll, now) || holds(offForThis, now);
    }

    private static boolean holds(@Nullable LeaseExpiry off, long now) {
        return off != null && !off.expired(now);
    }
}
