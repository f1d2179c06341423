package io.sluice.analyzer.notify;

import java.util.random.RandomGenerator;

/** How long to wait before the next try: doubling, bounded, and a random half of it, so that many don't come back at once. */
record Backoff(long firstMillis, long mostMillis) {
    /**
     * The wait after a failed try.
     *
     * @param failed how many have failed, at least 1
     */
    long millis(int failed, RandomGenerator random) {
        long full = Math.min(mostMillis, firstMillis << Math.min(failed - 1, 30));
        return full / 2 + (long) (random.nextDouble() * (full - full / 2));
    }
}
