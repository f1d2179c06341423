package io.sluice.quota.token;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;

/**
 * A charge as it travels: the message {@code Charge} of quota.proto.
 *
 * @param window whether the limit is a fixed window; otherwise it is a token bucket
 * @param span nanoseconds, at least 1: the interval of a bucket, or the length of a window
 * @param burst most permits at once; 0 for a limit that admits nothing
 */
record TokenCharge(String policy, String slot, boolean window, long span, long burst, String subject, long permits) {
    /** Nanoseconds that a bucket takes to fill: sums of three do not overflow. */
    static final long LONGEST = Long.MAX_VALUE / 4;

    static TokenCharge of(QuotaCharge charge, long permits) {
        QuotaLimit limit = charge.limit();
        boolean window = limit.algorithm() == Algorithm.FIXED_WINDOW;
        long nanos = limit.perMillis() * 1_000_000;
        // rounded up: a bucket is never faster than asked
        long span = window || limit.permits() == 0
                ? nanos
                : (long) Math.min(Math.max(Math.ceil(nanos / limit.permits()), 1), (double) LONGEST);
        long burst = limit.permits() == 0 ? 0 : window ? limit.burst() : Math.min(limit.burst(), LONGEST / span);
        return new TokenCharge(limit.policy(), limit.slot(), window, span, burst, charge.subject(), permits);
    }
}
