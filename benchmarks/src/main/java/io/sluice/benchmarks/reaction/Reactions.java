package io.sluice.benchmarks.reaction;

import java.util.List;
import org.HdrHistogram.Histogram;

/** How long the reactions of one turn took. */
final class Reactions {
    private static final double MICROS_A_MILLI = 1000;
    private static final int DIGITS = 3;

    private final Histogram micros = new Histogram(DIGITS);
    private int lost;

    /**
     * @param crossings of which those count that are marked so
     * @param patienceNanos what one counts for that never was answered: at least so long it took
     * @param extraNanos added to each
     */
    static Reactions of(List<Crossing> crossings, long patienceNanos, long extraNanos) {
        Reactions reactions = new Reactions();
        for (Crossing crossing : crossings) {
            if (crossing.counts) {
                boolean done = crossing.done();
                reactions.lost += done ? 0 : 1;
                long nanos = done ? crossing.untilAll() : patienceNanos;
                reactions.micros.recordValue((nanos + extraNanos) / (long) MICROS_A_MILLI);
            }
        }
        return reactions;
    }

    /** How many took longer than the wait for a reaction. */
    int lost() {
        return lost;
    }

    long count() {
        return micros.getTotalCount();
    }

    /** Milliseconds; {@code part} from 0 to 100. */
    double percentile(double part) {
        return micros.getValueAtPercentile(part) / MICROS_A_MILLI;
    }
}
