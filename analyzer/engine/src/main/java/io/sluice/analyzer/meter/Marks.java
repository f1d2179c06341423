package io.sluice.analyzer.meter;

import java.util.Arrays;

/** The sums from which on a subject is loud for each policy of a {@link MeteredGroup}. Not thread-safe. */
final class Marks {
    private final MeteredPolicy[] policies;
    private final int[] amountOf;
    private final long[] marks;
    /** For each amount, the least mark. */
    private final long[] least;
    /** For each amount, the policies that add it up. */
    private final long[] adding;

    private final boolean overridden;

    /**
     * @param amountOf for each policy, which of the amounts it adds up
     * @param amounts how many there are
     */
    Marks(MeteredPolicy[] policies, int[] amountOf, int amounts) {
        this.policies = policies;
        this.amountOf = amountOf;
        marks = new long[policies.length];
        least = new long[amounts];
        adding = new long[amounts];
        boolean any = false;
        for (int policy = 0; policy < policies.length; policy++) {
            adding[amountOf[policy]] |= 1L << policy;
            any |= policies[policy].overridden;
        }
        overridden = any;
        calculate(new String[0], false);
    }

    private void calculate(String[] subject, boolean overrides) {
        Arrays.fill(least, Long.MAX_VALUE);
        for (int policy = 0; policy < policies.length; policy++) {
            marks[policy] = overrides ? policies[policy].mark(subject) : policies[policy].quiet;
            least[amountOf[policy]] = Math.min(least[amountOf[policy]], marks[policy]);
        }
    }

    /** Makes these the marks of a subject. */
    Marks of(String[] subject) {
        if (overridden) {
            calculate(subject, true);
        }
        return this;
    }

    /** The set of all policies. */
    long all() {
        return (1L << policies.length) - 1;
    }

    /** Returns the policies that add up an amount. */
    long adding(int amount) {
        return adding[amount];
    }

    /** Returns the policies for which a subject with this sum is loud. */
    long reached(int amount, long sum) {
        if (sum < least[amount]) {
            return 0;
        }
        long reached = 0;
        for (int policy = 0; policy < marks.length; policy++) {
            if (amountOf[policy] == amount && sum >= marks[policy]) {
                reached |= 1L << policy;
            }
        }
        return reached;
    }
}
