package io.sluice.analyzer.decide;

import io.sluice.analyzer.detect.Finding;

/**
 * A debt drains by one threshold a window, whatever is rejected meanwhile; it is paid when the release's part of the
 * threshold is left.
 */
final class Repayment {
    // an end that is wrong by less needs no new record: it would be looked at again before
    private static final long LEAST_MOVE_MILLIS = 250;
    private static final long PARTS = 10;

    private Repayment() {}

    /** Returns whether so little is left that the gate may open. */
    static boolean paid(Lease lease, double level) {
        return level <= lease.terms().release() * lease.threshold().sum();
    }

    /** Returns the end of the longest lock that the policy allows. */
    static long last(Lease lease) {
        return last(lease.since(), lease.terms());
    }

    private static long last(long since, Terms terms) {
        return since + terms.length().upToMillis();
    }

    /** When a debt of this level will be paid if nothing more is admitted, and the lock over by its cap. */
    static long until(Lease lease, double level, long now) {
        double thresholds = level / lease.threshold().sum() - lease.terms().release();
        return capped(now, lease.since(), thresholds, lease.evidence().windowMillis(), lease.terms());
    }

    /** The same at the opening. A finding has the level at the time of its newest event: it has drained since. */
    static long until(Finding finding, Terms terms, long now) {
        double thresholds = finding.observed() / finding.threshold().sum() - terms.release();
        return capped(
                finding.crossed(), now, thresholds, finding.policy().window().millis(), terms);
    }

    private static long capped(long from, long since, double thresholds, long windowMillis, Terms terms) {
        // a debt past all bounds saturates, and the cap is still the lesser
        long owed = Math.round(thresholds * windowMillis);
        long last = last(since, terms);
        return owed < last - from ? from + owed : last;
    }

    /** Returns whether an end differs from the published one by a tenth of the remaining time, so that it is published anew. */
    static boolean moved(Lease lease, long until, long now) {
        long off = Math.abs(until - lease.until());
        return off >= LEAST_MOVE_MILLIS && off >= (lease.until() - now) / PARTS;
    }
}
