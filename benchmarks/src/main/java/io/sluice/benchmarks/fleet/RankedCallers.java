package io.sluice.benchmarks.fleet;

import io.sluice.benchmarks.workload.Callers;
import io.sluice.benchmarks.workload.Zipf;
import java.util.SplittableRandom;

/**
 * Zipf's law for up to 2^31 − 1 callers in little memory: the first ranks from a table, the others by inverting the integral of the law,
 * which for ranks beyond {@value #HEAD} differs from the sum by less than one part in 10^12. Immutable, thread-safe.
 */
final class RankedCallers implements Callers {
    /** Ranks that are drawn from the table. */
    static final int HEAD = 1_000_000;

    private final Zipf head;
    private final int callers;
    private final double exponent;
    private final double partOfHead;

    /**
     * @param callers more than {@value #HEAD}
     * @param exponent more than 1
     */
    RankedCallers(int callers, double exponent) {
        if (callers <= HEAD || !(exponent > 1)) {
            throw new IllegalArgumentException(
                    "callers " + callers + ", more than " + HEAD + "; exponent " + exponent + ", more than 1");
        }
        this.callers = callers;
        this.exponent = exponent;
        head = new Zipf(HEAD, exponent);
        double sum = 0;
        for (int rank = HEAD; rank >= 1; rank--) {
            sum += Math.pow(rank, -exponent);
        }
        double tail = (tail(HEAD + 0.5) - tail(callers + 0.5)) / (exponent - 1);
        partOfHead = sum / (sum + tail);
    }

    private double tail(double rank) {
        return Math.pow(rank, 1 - exponent);
    }

    /** Part of all requests that the first {@value #HEAD} callers make, 0 to 1. */
    double partOfHead() {
        return partOfHead;
    }

    @Override
    public int next(SplittableRandom random) {
        if (random.nextDouble() < partOfHead) {
            return head.next(random);
        }
        double from = tail(HEAD + 0.5);
        double to = tail(callers + 0.5);
        double rank = Math.pow(from - random.nextDouble() * (from - to), 1 / (1 - exponent));
        return Math.min(callers - 1, (int) Math.round(rank) - 1);
    }
}
