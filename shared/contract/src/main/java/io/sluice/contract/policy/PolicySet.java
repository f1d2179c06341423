package io.sluice.contract.policy;

import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.lock.LockValidity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All policies with {@code allow} and {@code guard}: one revision, replaced as a whole.
 *
 * @param enforce false: every policy only reports
 * @param revision 64 bits of SHA-256 over the canonical set, 16 hexadecimal digits
 */
public record PolicySet(boolean enforce, List<Allow> allow, Guard guard, List<Policy> policies, String revision) {

    /**
     * Returns whether a request is never locked or limited.
     *
     * @param now epoch milliseconds
     */
    public boolean allows(RequestAttributes request, long now) {
        for (int i = 0; i < allow.size(); i++) {
            Allow each = allow.get(i);
            if ((each.until == 0 || now < each.until) && each.match.matches(request)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a decision concerns a subject as its policy counts now; true for a policy that is not in this set.
     *
     * @param per the attributes that the decision's subject names, {@code null} where it has none
     */
    public boolean fits(String policy, @Nullable List<String> per) {
        for (Policy each : policies) {
            if (each.name().equals(policy)) {
                return LockValidity.fits(per, each.perNames());
            }
        }
        return true;
    }

    /** Requests that are never locked or limited, until {@code until} (epoch milliseconds, 0 for always). */
    public record Allow(Match match, long until, @Nullable String reason) {}

    /** How many of a policy's active subjects may be locked at once. */
    public record Guard(double subjects, int atLeast, int atMost) {
        public static final Guard DEFAULT = new Guard(0.10, 3, 1000);
    }
}
