package io.sluice.contract.lock;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision: a lease on a subject with a mode and the evidence for it. The lease is {@code ttlMillis}, counted from
 * the moment the broker appended the record; {@code until} is the intent, for people.
 *
 * @param subject the values of the policy's {@code per} attributes, in that order
 * @param per those attributes as policies spell them, such as {@code ip/24}; {@code null} in records of earlier versions,
 *     which mean whatever the policy counts by
 * @param rate requests a second over the fleet, for {@link Mode#THROTTLE}, else 0
 * @param ratio the part of the requests to reject, 0 to 1, for {@link Mode#SHED}, else 0
 * @param ttlMillis the lease, 0 or more
 * @param since broker time at which the lock opened, epoch milliseconds
 * @param until broker time at which it is meant to end, epoch milliseconds
 * @param level 1 for a first lock, higher for a repeat
 * @param shadow whether the lock only reports what its mode would have done
 * @param guarded whether the guard made it a shadow
 * @param evidence why, absent from a release
 */
public record GateLock(
        String policy,
        List<String> subject,
        @Nullable List<String> per,
        Mode mode,
        double rate,
        double ratio,
        long ttlMillis,
        long since,
        long until,
        int level,
        boolean shadow,
        boolean guarded,
        @Nullable Evidence evidence,
        Version version)
        implements GateRecord {
    /** @throws IllegalArgumentException naming the field that is out of its range */
    public GateLock {
        subject = List.copyOf(subject);
        per = per == null ? null : List.copyOf(per);
        require(!policy.isEmpty(), "policy must not be empty");
        require(Double.isFinite(rate) && rate >= 0, "rate must be a number of 0 or more");
        require(ratio >= 0 && ratio <= 1, "ratio must be from 0 to 1");
        require(ttlMillis >= 0, "ttlMillis must be 0 or more");
        require(since >= 0, "since must be 0 or more");
        require(until >= 0, "until must be 0 or more");
        require(level >= 0, "level must be 0 or more");
    }

    /** A lock without the attributes of its subject, as earlier versions wrote it. */
    public GateLock(
            String policy,
            List<String> subject,
            Mode mode,
            double rate,
            double ratio,
            long ttlMillis,
            long since,
            long until,
            int level,
            boolean shadow,
            boolean guarded,
            @Nullable Evidence evidence,
            Version version) {
        this(
                policy, subject, null, mode, rate, ratio, ttlMillis, since, until, level, shadow, guarded, evidence,
                version);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns whether it can turn requests away: neither a release nor only a report. */
    public boolean enforced() {
        return !shadow && !guarded && mode.rejects();
    }
}
