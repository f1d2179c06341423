package io.sluice.contract.operator;

import io.sluice.contract.lock.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operator's record with its reason. It holds for {@code ttlMillis} from the moment the broker appended it. */
public sealed interface OperatorRecord {
    /** The longest time that a record holds, and that commands and the HTTP API accept, in milliseconds: 365 days. */
    long LONGEST_MILLIS = 365L * 24 * 60 * 60 * 1000;

    /** The shortest time that commands and the HTTP API accept, in milliseconds: less could be over before agents have read it. */
    long SHORTEST_MILLIS = 1_000;

    /** The longest reason that they accept, in characters. */
    int LONGEST_REASON = 1_000;

    /** The author. */
    String author();

    String reason();

    /** How long it holds, in milliseconds; 0 for until it is replaced, {@link #LONGEST_MILLIS} at most. */
    long ttlMillis();

    /**
     * The attributes that the record's subject names; {@code null} for the kill switch, and for records of earlier
     * versions, which mean whatever their policy counts by.
     */
    default @Nullable List<String> per() {
        return null;
    }

    /** The author's wall clock, epoch milliseconds, for people only. */
    long at();

    /**
     * Closes a subject's gate.
     *
     * @param per the attributes that {@code subject} names, as policies spell them; {@code null} in records of earlier
     *     versions, which mean whatever the policy counts by
     * @param mode {@link Mode#BLOCK}, {@link Mode#THROTTLE} or {@link Mode#SHADOW}; {@link Mode#UNKNOWN} when read from a
     *     newer version
     * @param rate requests a second over the fleet, for {@link Mode#THROTTLE}, else 0
     */
    record Lock(
            String policy,
            List<String> subject,
            @Nullable List<String> per,
            Mode mode,
            double rate,
            long ttlMillis,
            String author,
            String reason,
            long at)
            implements OperatorRecord {
        public Lock {
            subject = List.copyOf(subject);
            per = per == null ? null : List.copyOf(per);
            require(!policy.isEmpty(), "policy must not be empty");
            require(mode != Mode.OPEN, "mode must be block, throttle or shadow");
            require(Double.isFinite(rate) && rate >= 0, "rate must be a number of 0 or more");
            requireTimes(ttlMillis, at);
        }

        /** One without the attributes of its subject, as earlier versions wrote it. */
        public Lock(
                String policy,
                List<String> subject,
                Mode mode,
                double rate,
                long ttlMillis,
                String author,
                String reason,
                long at) {
            this(policy, subject, null, mode, rate, ttlMillis, author, reason, at);
        }
    }

    /**
     * Opens a subject's gate and forbids the analyzer to lock it again while it holds.
     *
     * @param per the attributes that {@code subject} names, as policies spell them; {@code null} in records of earlier
     *     versions, which mean whatever the policy counts by
     */
    record Release(
            String policy,
            List<String> subject,
            @Nullable List<String> per,
            long ttlMillis,
            String author,
            String reason,
            long at)
            implements OperatorRecord {
        public Release {
            subject = List.copyOf(subject);
            per = per == null ? null : List.copyOf(per);
            require(!policy.isEmpty(), "policy must not be empty");
            requireTimes(ttlMillis, at);
        }

        /** One without the attributes of its subject, as earlier versions wrote it. */
        public Release(String policy, List<String> subject, long ttlMillis, String author, String reason, long at) {
            this(policy, subject, null, ttlMillis, author, reason, at);
        }
    }

    /**
     * The kill switch.
     *
     * @param agent the agent it is meant for, or {@code null} for all
     * @param enforce false: nothing is rejected
     */
    record Enforce(@Nullable String agent, boolean enforce, long ttlMillis, String author, String reason, long at)
            implements OperatorRecord {
        public Enforce {
            requireTimes(ttlMillis, at);
        }
    }

    private static void requireTimes(long ttlMillis, long at) {
        require(ttlMillis >= 0, "ttlMillis must be 0 or more");
        require(at >= 0, "at must be 0 or more");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
