package io.sluice.quota.contract;

import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Limits and subjects of tests; no two tests share a subject. */
final class Limits {
    static final long DAY = 86_400_000;
    private static final long CLEAR_OF_MIDNIGHT = 90_000;
    private static final AtomicInteger SUBJECTS = new AtomicInteger();
    private static final String RUN = Long.toString(System.nanoTime(), 36);

    private Limits() {}

    /** Returns a limit of which nothing returns during a test: its permits a day. */
    static QuotaLimit daily(Algorithm algorithm, long permits) {
        return daily("policy", algorithm, permits);
    }

    static QuotaLimit daily(String policy, Algorithm algorithm, long permits) {
        return new QuotaLimit(policy, "", algorithm, permits, DAY, permits);
    }

    static QuotaLimit of(Algorithm algorithm, long permits, long perMillis) {
        return new QuotaLimit("policy", "", algorithm, permits, perMillis, permits);
    }

    /** Returns the name of a policy of its own. */
    static String policy(String name) {
        return name + '-' + RUN + '-' + SUBJECTS.incrementAndGet();
    }

    static String subject(String name) {
        return "[\"" + name + '-' + RUN + '-' + SUBJECTS.incrementAndGet() + "\"]";
    }

    /** Waits where a window of a day, in UTC, is about to end. */
    static void awaitClearOfMidnight() {
        long left = DAY - System.currentTimeMillis() % DAY;
        if (left < CLEAR_OF_MIDNIGHT) {
            park(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(left + 1_000));
        }
    }

    /** Waits until a time of {@link System#nanoTime}. */
    static void park(long until) {
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
