package io.sluice.analyzer.window;

/** Adding up what others claim to have used. */
public final class Sums {
    private Sums() {}

    /**
     * The sum of two numbers that are not negative, or the largest there is: an absurd number in one event must not turn
     * a sum negative and a gate open.
     */
    public static long plus(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
