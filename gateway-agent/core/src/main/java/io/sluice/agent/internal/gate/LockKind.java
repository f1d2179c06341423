package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.TokenRate;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What many locks have in common. Thread-safe. */
final class LockKind {
    private final LockAttributes attributes;
    private final LockRejections rejections;
    private volatile @Nullable Throttle throttle;

    /**
     * All that the records and the policy say of such locks.
     *
     * @param per the attributes that the records' subjects name, {@code null} where they don't say
     * @param reports whether the record itself says that it only reports
     * @param shadow whether it only reports, by its own word or by the policy's
     * @param clock of the partition that the record stood on
     * @param task who decided, empty for an operator
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

    /** The rejections of the policy's locks for the same reason. */
    LockRejections rejections() {
        return rejections;
    }

    /** One agent's part of the rate. */
    TokenRate rate(int liveAgents) {
        Throttle current = throttle;
        if (current == null || current.agents != liveAgents) {
            current = Throttle.of(attributes.rate, liveAgents);
            throttle = current;
        }
        return current.rate;
    }
}
