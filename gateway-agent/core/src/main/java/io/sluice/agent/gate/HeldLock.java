package io.sluice.agent.gate;

import io.sluice.agent.Quota;
import io.sluice.agent.Verdict;
import io.sluice.agent.limit.TokenRate;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.Match;
import org.jspecify.annotations.Nullable;

/**
 * A standing decision as a check reads it: together with what the policy says it closes. Thread-safe; the caches may be
 * filled twice, to the same effect.
 */
final class HeldLock {
    // a lock without an end is worth asking about again tomorrow
    private static final long LONGEST_ADVICE_MILLIS = 86_400_000;

    private final String policy;
    private final Standing standing;
    private final Match closes;
    private final boolean shadow;
    // of a million locks few are asked for
    private volatile @Nullable Throttle throttle;
    private volatile Verdict.@Nullable Rejected rejection;

    private record Throttle(int agents, TokenRate rate) {
        static Throttle of(double fleetRate, int agents) {
            return new Throttle(agents, TokenRate.perSecond(fleetRate / agents));
        }
    }

    /** @param shadow whether it only reports, by its own word or by the policy's */
    HeldLock(String policy, Standing standing, Match closes, boolean shadow) {
        this.policy = policy;
        this.standing = standing;
        this.closes = closes;
        this.shadow = shadow;
    }

    boolean over(long now) {
        return standing.lease().over(now);
    }

    boolean closes(RequestAttributes request) {
        return closes.matches(request);
    }

    Mode mode() {
        return standing.mode();
    }

    boolean throttles() {
        return standing.mode() == Mode.THROTTLE;
    }

    boolean shadow() {
        return shadow;
    }

    double ratio() {
        return standing.ratio();
    }

    /** Whether this one is to be named when both close: the stricter mode, then the later end. */
    boolean stricterThan(HeldLock other) {
        int modes = standing.mode().compareTo(other.standing.mode());
        return modes < 0 || (modes == 0 && standing.until() > other.standing.until());
    }

    /** This agent's part of the rate. */
    TokenRate rate(int liveAgents) {
        Throttle current = throttle;
        if (current == null || current.agents != liveAgents) {
            current = Throttle.of(standing.rate(), liveAgents);
            throttle = current;
        }
        return current.rate;
    }

    /** The rejection of a request now; the same object during one second. */
    Verdict.Rejected reject(long now) {
        long broker = standing.lease().clock().now(now);
        long intended = broker == BrokerClock.UNKNOWN ? 0 : standing.until() - broker;
        // what ends earlier than intended ends with its lease, unless it is renewed: the intent is the better advice
        long left = intended > 0 ? intended : standing.lease().left(now);
        long seconds = Math.max(1, (Math.min(left, LONGEST_ADVICE_MILLIS) + 999) / 1000);
        Verdict.Rejected current = rejection;
        if (current == null || current.retryAfterMillis() != seconds * 1000) {
            current = rejection(seconds);
            rejection = current;
        }
        return current;
    }

    private Verdict.Rejected rejection(long seconds) {
        Verdict.Reason reason = standing.mode() == Mode.SHED ? Verdict.Reason.SHED : Verdict.Reason.LOCKED;
        return new Verdict.Rejected(reason, policy, seconds * 1000, new Quota(policy, 0, seconds, 0, seconds));
    }

    /** The rejection of a request that the throttle has no permit for. */
    Verdict.Rejected reject(TokenRate rate, long waitNanos) {
        return Limit.throttled(policy, rate, waitNanos);
    }
}
