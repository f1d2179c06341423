package io.sluice.benchmarks.gate;

import java.util.Random;

/** Draws ranks by Zipf's law: rank r, from 0, comes up with a weight of 1 / (r + 1)^exponent. Not thread-safe. */
final class Zipf {
    private final double[] upTo;
    private final Random random;

    /** @param ranks how many there are, at least 1 */
    Zipf(int ranks, double exponent, long seed) {
        if (ranks < 1 || !(exponent >= 0)) {
            throw new IllegalArgumentException(
                    "Zipf's law needs a rank and an exponent of 0 or more, not %d and %s".formatted(ranks, exponent));
        }
        upTo = new double[ranks];
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += Math.pow(rank + 1.0, -exponent);
            upTo[rank] = sum;
        }
        random = new Random(seed);
    }

    int next() {
        double drawn = random.nextDouble() * upTo[upTo.length - 1];
        int least = 0;
        int most = upTo.length - 1;
        while (least < most) {
            int middle = (least + most) >>> 1;
            if (upTo[middle] > drawn) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        return least;
    }
}
