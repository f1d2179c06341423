package io.sluice.benchmarks.strategies;

import io.sluice.agent.quota.QuotaLimit;
import io.sluice.quota.contract.GrantLog;
import java.util.ArrayList;
import java.util.List;

/** The requests for one quota. Times are of {@link System#nanoTime}. Thread-safe. */
final class RequestLog {
    private static final double MILLI = 1e6;

    private final List<Entry> entries = new ArrayList<>();

    private record Entry(long asked, long answered, boolean granted) {}

    synchronized void add(long asked, long answered, boolean granted) {
        entries.add(new Entry(asked, answered, granted));
    }

    /** Returns the longest wait of the requests that were asked in a span, milliseconds. */
    synchronized double longestWaitMillis(long from, long to) {
        return entries.stream()
                .filter(entry -> entry.asked - from >= 0 && entry.asked - to < 0)
                .mapToDouble(entry -> (entry.answered - entry.asked) / MILLI)
                .max()
                .orElse(0);
    }

    /** Returns the permits granted to requests that were asked in a span, over those that the limit's rate brings in it. */
    synchronized double grantedOfRate(QuotaLimit limit, long from, long to) {
        long granted = entries.stream()
                .filter(entry -> entry.granted && entry.asked - from >= 0 && entry.asked - to < 0)
                .count();
        return granted / (limit.permits() * ((to - from) / MILLI) / limit.perMillis());
    }

    /** Returns by how many permits any span within this one had more than the limit allows; 0 when none had. */
    double excess(QuotaLimit limit, long from, long to) {
        return granted(from, to).excess(limit);
    }

    /**
     * Returns the most permits in any span within this one beyond those that the limit's rate brings in it. A bucket that is empty at first has none to
     * give; one that is full has its burst.
     */
    double burst(QuotaLimit limit, long from, long to) {
        QuotaLimit empty =
                new QuotaLimit(limit.policy(), limit.slot(), limit.algorithm(), limit.permits(), limit.perMillis(), 0);
        return granted(from, to).excess(empty);
    }

    private synchronized GrantLog granted(long from, long to) {
        GrantLog grants = new GrantLog();
        for (Entry entry : entries) {
            if (entry.granted && entry.asked - from >= 0 && entry.answered - to < 0) {
                grants.add(entry.asked, entry.answered);
            }
        }
        return grants;
    }
}
