package io.sluice.agent.gate;

import io.sluice.agent.Quota;
import io.sluice.agent.Verdict;
import io.sluice.agent.limit.TokenRate;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What many locks have in common, with the answers that they share. Thread-safe; the caches may be filled twice, to the
 * same effect.
 */
final class LockKind {
    // seconds to come again are told from some minutes of locks at once
    private static final int CACHED = 1024;

    private final Said said;
    private volatile @Nullable Throttle throttle;
    private volatile Verdict.@Nullable Rejected @Nullable [] rejections;

    /**
     * All that the records and the policy say of such locks.
     *
     * @param per the attributes that the records' subjects name, {@code null} where they don't say
     * @param reports whether the record itself says that it only reports
     * @param shadow whether it only reports, by its own word or by the policy's
     * @param clock of the partition that the record stood on
     * @param task who decided, empty for an operator
     */
    record Said(
            String policy,
            Mode mode,
            double rate,
            double ratio,
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

    LockKind(Said said) {
        this.said = said;
    }

    Said said() {
        return said;
    }

    /** One agent's part of the rate. */
    TokenRate rate(int liveAgents) {
        Throttle current = throttle;
        if (current == null || current.agents != liveAgents) {
            current = Throttle.of(said.rate, liveAgents);
            throttle = current;
        }
        return current.rate;
    }

    /** A rejection that says to come again after so many seconds; mostly the same object for the same number. */
    Verdict.Rejected rejection(long seconds) {
        @Nullable Verdict.Rejected[] known = rejections;
        if (known == null) {
            known = new Verdict.Rejected[CACHED];
            rejections = known;
        }
        int place = (int) (seconds % CACHED);
        Verdict.Rejected rejection = known[place];
        if (rejection == null || rejection.retryAfterMillis() != seconds * 1000) {
            Verdict.Reason reason = said.mode == Mode.SHED ? Verdict.Reason.SHED : Verdict.Reason.LOCKED;
            Quota quota = new Quota(said.policy, 0, seconds, 0, seconds);
            rejection = new Verdict.Rejected(reason, said.policy, seconds * 1000, quota);
            // records may be published without a barrier
            known[place] = rejection;
        }
        return rejection;
    }
}
