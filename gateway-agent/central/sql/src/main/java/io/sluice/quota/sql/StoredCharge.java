package io.sluice.quota.sql;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A charge as {@code request_token} takes it.
 *
 * @param span nanoseconds: the interval of a bucket, or the length of a window
 * @param burst most permits at once; 0 for a limit that admits nothing
 */
record StoredCharge(String policy, String slot, String algorithm, String subject, long span, long burst, long permits) {
    /** Nanoseconds that a bucket takes to fill: two of them do not overflow. */
    private static final long LONGEST = Long.MAX_VALUE / 4;

    /** An entry of an index has about 2,700 bytes at most. */
    private static final int SUBJECT_BYTES = 512;

    static StoredCharge of(QuotaCharge charge) {
        QuotaLimit limit = charge.limit();
        long nanos = limit.perMillis() * 1_000_000;
        String subject = key(charge.subject());
        if (limit.permits() == 0) {
            return new StoredCharge(
                    limit.policy(), limit.slot(), name(limit.algorithm()), subject, nanos, 0, charge.permits());
        }
        // rounded up: a bucket is never faster than asked
        long span = limit.algorithm() == Algorithm.TOKEN_BUCKET
                ? (long) Math.min(Math.max(Math.ceil(nanos / limit.permits()), 1), (double) LONGEST)
                : nanos;
        return new StoredCharge(
                limit.policy(),
                limit.slot(),
                name(limit.algorithm()),
                subject,
                span,
                limit.algorithm() == Algorithm.TOKEN_BUCKET ? Math.min(limit.burst(), LONGEST / span) : limit.burst(),
                charge.permits());
    }

    private static String name(Algorithm algorithm) {
        return switch (algorithm) {
            case TOKEN_BUCKET -> "token-bucket";
            case FIXED_WINDOW -> "fixed-window";
            default -> throw new IllegalArgumentException("PostgreSQL does not apply " + algorithm);
        };
    }

    private static String key(String subject) {
        byte[] bytes = subject.getBytes(StandardCharsets.UTF_8);
        // PostgreSQL's texts cannot hold a NUL
        if (bytes.length <= SUBJECT_BYTES && subject.indexOf('\0') < 0) {
            return subject;
        }
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
