package io.sluice.contract.policy;

import java.util.List;

/** When a subject is over. Thresholds are in the policy file's unit of the measure (requests, bytes, milliseconds). */
public sealed interface Condition {

    /** The sum that must be passed before this can hold, whatever others do. */
    double absolute();

    /** Returns whether service times are looked at, whatever the measure. */
    default boolean timed() {
        return false;
    }

    /** Returns whether sums below {@link #absolute} need not be known: nothing is derived from them. */
    default boolean ignoresSmallSums() {
        return !timed();
    }

    /** Over when the admitted sum of the window is greater than {@code threshold}. */
    record Above(double threshold) implements Condition {
        @Override
        public double absolute() {
            return threshold;
        }
    }

    /**
     * Over when the subject's part of its group's load is greater than {@code share}.
     *
     * @param share 0 to 1
     * @param of the attributes that make the group, each in {@code per} or fixed by {@code match}; empty: everything the
     *     policy matches
     * @param beyond the load must have passed this
     * @param others the least load of all other subjects together
     * @param whenOthersSlow the least factor by which the others' mean service time is worse than their baseline; 0: not asked
     */
    record Share(double share, List<Attribute> of, double beyond, double others, double whenOthersSlow)
            implements Condition {
        @Override
        public double absolute() {
            return share * beyond;
        }

        @Override
        public boolean timed() {
            return whenOthersSlow > 0;
        }
    }

    /**
     * Over when the sum is greater than {@code factor} times the subject's own baseline, and than {@code floor}.
     *
     * @param baselineMillis over how long the baseline is taken
     */
    record Spike(double factor, long baselineMillis, double floor) implements Condition {
        @Override
        public double absolute() {
            return floor;
        }

        /** The baseline is made of them. */
        @Override
        public boolean ignoresSmallSums() {
            return false;
        }
    }

    /** Over when all are. */
    record All(List<Condition> conditions) implements Condition {
        /** The smallest of its parts' numbers, though the greatest would do: a heavy partial then leaves no later. */
        @Override
        public double absolute() {
            return conditions.stream().mapToDouble(Condition::absolute).min().orElse(0);
        }

        @Override
        public boolean timed() {
            return conditions.stream().anyMatch(Condition::timed);
        }

        @Override
        public boolean ignoresSmallSums() {
            return conditions.stream().allMatch(Condition::ignoresSmallSums);
        }
    }
}
