package io.sluice.benchmarks.workload;

import java.util.SplittableRandom;

/**
 * Numbers of which the n-th comes in proportion to 1/n^s. A table of sums is searched for a random point; where to begin
 * is looked up, for the head is asked for most.
 */
final class Zipf implements Callers {
    private static final int ENTRIES = 1 << 16;

    private final double[] upTo;
    /** For each part of [0, 1), the first number that can be meant. */
    private final int[] entries = new int[ENTRIES + 1];

    Zipf(int numbers, double s) {
        upTo = new double[numbers];
        double sum = 0;
        for (int n = 0; n < numbers; n++) {
            sum += Math.pow(n + 1.0, -s);
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

    @Override
    public int next(SplittableRandom random) {
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
