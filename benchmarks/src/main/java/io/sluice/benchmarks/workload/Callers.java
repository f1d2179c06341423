package io.sluice.benchmarks.workload;

import java.util.SplittableRandom;

/** The next caller: a number from 0 to the number of callers − 1, in which 0 calls most if the distribution is skewed. */
@FunctionalInterface
public interface Callers {

    int next(SplittableRandom random);

    /** All call alike. */
    static Callers uniform(int callers) {
        return random -> random.nextInt(callers);
    }

    /** The n-th calls in proportion to 1/n^s. */
    static Callers zipf(int callers, double s) {
        return new Zipf(callers, s)::next;
    }

    /** Number 0 makes this share of all calls, from 0 to 1; the others are as they are, one number higher. */
    static Callers hot(double share, Callers others) {
        return random -> random.nextDouble() < share ? 0 : 1 + others.next(random);
    }
}
