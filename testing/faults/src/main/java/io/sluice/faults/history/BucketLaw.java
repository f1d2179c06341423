package io.sluice.faults.history;

import java.util.ArrayList;
import java.util.List;

/**
 * What a token bucket must have said. Each check is known by the moments before and after it; a verdict is wrong when no bucket
 * that began full could have given it at any moment in between. One thread, checks in order; nanoseconds.
 */
public final class BucketLaw {
    private static final double ROUNDING = 1e-6;

    // The tokens at time t after n admissions at times t(i) are the least of burst and burst - (n - i) + rate (t -
    // t(i)), over
    // all i. Only the greatest rate t(i) - i has to be kept: once with each t(i) as early, once as late as it can have
    // been.
    private final double perNano;
    private final double burst;
    private final List<String> wrong = new ArrayList<>();
    private double earliest = Double.NEGATIVE_INFINITY;
    private double latest = Double.NEGATIVE_INFINITY;
    private long checks;
    private long admitted;

    /** @param perSecond refill */
    public BucketLaw(double perSecond, double burst) {
        this.perNano = perSecond / 1e9;
        this.burst = burst;
    }

    /** Judges one check. */
    public void check(long from, long to, boolean pass) {
        checks++;
        if (pass) {
            double taken = earliest + admitted + 1 - perNano * to;
            if (taken > burst + ROUNDING) {
                wrong.add("check " + checks + " was admitted: " + taken + " taken of a burst of " + burst);
            }
            earliest = Math.max(earliest, perNano * from - admitted);
            latest = Math.max(latest, perNano * to - admitted);
            admitted++;
        } else {
            double taken = latest + admitted + 1 - perNano * from;
            if (taken <= burst) {
                wrong.add("check " + checks + " was rejected: only " + taken + " taken of a burst of " + burst);
            }
        }
    }

    /** How many were judged. */
    public long checks() {
        return checks;
    }

    /** How many were admitted. */
    public long admitted() {
        return admitted;
    }

    /** What no bucket could have said. */
    public List<String> wrong() {
        return List.copyOf(wrong);
    }
}
