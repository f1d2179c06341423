package io.sluice.benchmarks.reaction;

import java.util.Arrays;
import java.util.Random;

/** Numbers from 0 on, of which the k-th is drawn in proportion to 1/(k+1)^s: a few callers do most of it. */
final class Zipf {
    private final double[] upTo;

    /**
     * @param many how many numbers there are
     * @param exponent s, more than 0
     */
    Zipf(int many, double exponent) {
        upTo = new double[many];
        double sum = 0;
        for (int k = 0; k < many; k++) {
            sum += Math.pow(k + 1.0, -exponent);
            upTo[k] = sum;
        }
    }

    int draw(Random random) {
        int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[upTo.length - 1]);
        return Math.min(found < 0 ? -1 - found : found, upTo.length - 1);
    }
}
