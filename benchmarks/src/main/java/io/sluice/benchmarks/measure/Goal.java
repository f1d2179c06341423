package io.sluice.benchmarks.measure;

/**
 * Goal of a ratio.
 *
 * @param bound the goal; missing it is told, and fails nothing
 * @param guard the band beyond which something broke: looser than the bound, because machines are noisy; a run whose
 *     ratio lies beyond it fails (a quick run only for figures that don't depend on time)
 */
public record Goal(Side side, double bound, double guard) {

    /** On which side of the bound a ratio has to lie. */
    public enum Side {
        AT_MOST("≤"),
        AT_LEAST("≥");

        private final String sign;

        Side(String sign) {
            this.sign = sign;
        }
    }

    /** How a ratio did. */
    public enum Outcome {
        MET,
        MISSED,
        BEYOND
    }

    public Goal {
        boolean looser = side == Side.AT_MOST ? guard >= bound : guard <= bound;
        if (!looser) {
            throw new IllegalArgumentException(
                    "a guard is looser than its bound, and %s is not than %s".formatted(guard, bound));
        }
    }

    public static Goal atMost(double bound, double guard) {
        return new Goal(Side.AT_MOST, bound, guard);
    }

    public static Goal atLeast(double bound, double guard) {
        return new Goal(Side.AT_LEAST, bound, guard);
    }

    /** What a ratio is worth; one that is no number lies beyond everything. */
    public Outcome of(double ratio) {
        if (holds(ratio, bound)) {
            return Outcome.MET;
        }
        return holds(ratio, guard) ? Outcome.MISSED : Outcome.BEYOND;
    }

    private boolean holds(double ratio, double limit) {
        return side == Side.AT_MOST ? ratio <= limit : ratio >= limit;
    }

    @Override
    public String toString() {
        return side.sign + " " + Numbers.text(bound);
    }
}
