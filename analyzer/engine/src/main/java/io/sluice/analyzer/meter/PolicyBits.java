package io.sluice.analyzer.meter;

import java.util.List;

/** Translates sets of policies, as bits in one order, to another order of other policies. */
final class PolicyBits {
    private final int[] to;
    private final long added;
    private final boolean same;

    PolicyBits(List<String> former, List<String> now) {
        to = former.stream().mapToInt(now::indexOf).toArray();
        long fresh = 0;
        for (int bit = 0; bit < now.size(); bit++) {
            fresh |= former.contains(now.get(bit)) ? 0 : 1L << bit;
        }
        added = fresh;
        same = former.equals(now);
    }

    /** Returns whether the policies and their order are the same. */
    boolean same() {
        return same;
    }

    /** Returns the policies that were not there before. */
    long added() {
        return added;
    }

    /** Returns the set without the policies that are gone; new ones are in none. */
    long of(long policies) {
        long translated = 0;
        for (int bit = 0; bit < to.length; bit++) {
            if ((policies >>> bit & 1) != 0 && to[bit] >= 0) {
                translated |= 1L << to[bit];
            }
        }
        return translated;
    }
}
