package io.sluice.analyzer.decide;

import io.sluice.contract.usage.UsageKey;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Notices callers whose requests are counted by more meters than the sources claim: marks of quiet subjects that rely on such a claim are too
 * high. Looks at the subjects that were reported last, at most {@value #MOST}, for a minute each. One thread.
 */
final class SpreadCheck {
    private static final int MOST = 256;
    private static final long SPAN_MILLIS = 60_000;

    private final int claimed;
    private final Map<UsageKey, Reporters> reported = new LinkedHashMap<>(16, 0.75f, true);

    private static final class Reporters {
        private final BitSet meters = new BitSet();
        private long since;
    }

    /**
     * @param claimed the most meters that can count requests of one caller
     * @param meters how many there are
     */
    SpreadCheck(int claimed, int meters) {
        this.claimed = claimed < meters ? claimed : Integer.MAX_VALUE;
    }

    /**
     * Notes that a meter reported a subject that contains the caller.
     *
     * @param time of its newest event, epoch milliseconds
     * @return whether more meters reported it within a minute than is claimed
     */
    boolean exceeds(UsageKey subject, int meter, long time) {
        if (claimed == Integer.MAX_VALUE) {
            return false;
        }
        Reporters reporters = reported.computeIfAbsent(subject, any -> new Reporters());
        if (reported.size() > MOST) {
            reported.remove(reported.keySet().iterator().next());
        }
        if (Math.abs(time - reporters.since) > SPAN_MILLIS) {
            reporters.since = time;
            reporters.meters.clear();
        }
        reporters.meters.set(meter);
        return reporters.meters.cardinality() > claimed;
    }

    void discard() {
        reported.clear();
    }
}
