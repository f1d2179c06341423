package io.sluice.quota.contract;

import io.sluice.agent.quota.QuotaLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * When permits were granted, as seen by clients: the store granted each between the times at which it was asked for and answered. So permits that
 * were asked for and answered within a span were granted within it. Thread-safe.
 */
public final class GrantLog {
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<Grant> grants = new ArrayList<>();

    /** Times of {@link System#nanoTime}. */
    private record Grant(long asked, long answered) {}

    /** Creates an empty log. */
    public GrantLog() {}

    /**
     * Adds a granted permit.
     *
     * @param asked when it was asked for
     * @param answered when it was granted, at the latest
     */
    public synchronized void add(long asked, long answered) {
        grants.add(new Grant(asked, answered));
    }

    synchronized int size() {
        return grants.size();
    }

    /**
     * Returns the most permits by which any span had more than the limit allows, 0 when none had.
     *
     * @return at most 0 when the limit held in every span
     */
    public synchronized double excess(QuotaLimit limit) {
        List<Grant> sorted = new ArrayList<>(grants);
        sorted.sort(Comparator.comparingLong(Grant::answered));
        double excess = 0;
        for (Grant first : sorted) {
            int count = 0;
            for (Grant last : sorted) {
                if (last.asked() >= first.asked()) {
                    count++;
                    excess = Math.max(excess, count - most(limit, last.answered() - first.asked()));
                }
            }
        }
        return excess;
    }

    /** Returns the most permits of a limit in a span of nanoseconds. */
    private static double most(QuotaLimit limit, long span) {
        double windows = span / (limit.perMillis() * NANOS_PER_MILLI);
        return switch (limit.algorithm()) {
            case TOKEN_BUCKET -> limit.burst() + windows * limit.permits();
            case SLIDING_LOG, SLIDING_WINDOW -> limit.permits() * (Math.floor(windows) + 1);
            default -> limit.permits() * (Math.floor(windows) + 2);
        };
    }
}
