package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.TokenRate;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The data that many locks have in common. Thread-safe. */
final class LockKind {
    private final LockAttributes attributes;
    private final LockRejections rejections;
    private volatile @Nullable Throttle throttle;

    /**
     * The common data from record and policy.
     *
     * @param per the attributes of the records' subjects, {@code null} when the records have none
     * @param reports whether the record itself is in shadow mode
     * @param shadow whether the lock is in shadow mode, by the record or by the policy
     * @param clock the clock of the record's partition
     * @param task the task that decided, empty for an operator
     */
    record LockAttributes(
            String policy,
            Mode mode,
            double rate,
            @Nullable List<String> per,
            boolean reports,
            boolean shadow,
            Match closes,
            BrokerClock clock,
            String task,
            long epoch) {}

    private record Throttle(int agents, TokenRate rate) {
        static Throttle of(double fleetRate, int agents) {
            return new Throttle(agents, TokenRate.perSecond(fleetRate / agents));
        }
    }

    LockKind(LockAttributes attributes, LockRejections rejections) {
        this.attributes = attributes;
        this.rejections = rejections;
    }

    LockAttributes attributes() {
        return attributes;
    }

    /** Returns the rejections of the policy's locks for the same reason. */
    LockRejections rejections() {
        return rejections;
    }

    /** Returns one agent's share of the rate. */
    TokenRate rate(int liveAgents) {
        Throttle current = throttle;
        if (current == null || current.agents != liveAgents) {
            current = Throttle.of(attributes.rate, liveAgents);
            throttle = current;
        }
        return current.rate;
    }
}
