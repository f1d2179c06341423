package io.sluice.benchmarks.workload;

import java.util.random.RandomGenerator;

/**
 * Numbers from 0 on, of which the n-th is drawn in proportion to 1/(n + 1)^exponent. A table of sums is searched for a random point; the first
 * place to look is found in a second table, because the head is drawn most.
 */
public final class Zipf {
    private static final int ENTRIES = 1 << 16;

    private final double[] upTo;
    /** For each part of [0, 1), the first number that can be meant. */
    private final int[] entries = new int[ENTRIES + 1];

    /**
     * @param numbers at least 1
     * @param exponent at least 0; with 0 all numbers are drawn alike
     */
    public Zipf(int numbers, double exponent) {
        if (numbers < 1 || !(exponent >= 0)) {
            throw new IllegalArgumentException("Zipf's law needs a number and an exponent of 0 or more, not %d and %s"
                    .formatted(numbers, exponent));
        }
        upTo = new double[numbers];
        double sum = 0;
        for (int n = 0; n < numbers; n++) {
            sum += Math.pow(n + 1.0, -exponent);
            upTo[n] = sum;
        }
        for (int n = 0; n < numbers; n++) {
            upTo[n] /= sum;
        }
        upTo[numbers - 1] = 1;
        int number = 0;
        for (int entry = 0; entry < ENTRIES; entry++) {
            while (upTo[number] <= (double) entry / ENTRIES) {
                number++;
            }
            entries[entry] = number;
        }
        entries[ENTRIES] = numbers - 1;
    }

    /** Returns a number from 0 to the last one. */
    public int next(RandomGenerator random) {
        double point = random.nextDouble();
        int entry = (int) (point * ENTRIES);
        int low = entries[entry];
        int high = entries[entry + 1];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (upTo[middle] <= point) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
