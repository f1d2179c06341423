package io.sluice.analyzer.replay.scenario;

import io.sluice.analyzer.replay.ReplayLock;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Result of a scenario.
 *
 * @param locks all locks, in the order in which they opened
 * @param missing what was expected and did not come
 * @param unexpected what came and was not expected
 * @param events how many events were played
 * @param late how many of them were too late to be counted
 */
record Outcome(
        List<ReplayLock> locks, List<ExpectedLock> missing, List<ReplayLock> unexpected, long events, long late) {

    static Outcome of(List<ExpectedLock> expected, List<ReplayLock> locks, long events, long late) {
        int[] takenBy = pair(expected, locks);
        List<ExpectedLock> missing = IntStream.range(0, expected.size())
                .filter(e -> Arrays.stream(takenBy).noneMatch(taker -> taker == e))
                .mapToObj(expected::get)
                .toList();
        List<ReplayLock> unexpected = IntStream.range(0, locks.size())
                .filter(l -> takenBy[l] == FREE)
                .mapToObj(locks::get)
                .toList();
        return new Outcome(locks, missing, unexpected, events, late);
    }

    private static final int FREE = -1;

    boolean passed() {
        return missing.isEmpty() && unexpected.isEmpty();
    }

    /**
     * For each lock the expectation that takes it. As many as possible are matched, whatever their order: one with few fields
     * gives way to one with more (augmenting paths, Kuhn 1955).
     */
    private static int[] pair(List<ExpectedLock> expected, List<ReplayLock> locks) {
        int[] takenBy = new int[locks.size()];
        Arrays.fill(takenBy, FREE);
        for (int e = 0; e < expected.size(); e++) {
            place(e, expected, locks, takenBy, new boolean[locks.size()]);
        }
        return takenBy;
    }

    private static boolean place(
            int e, List<ExpectedLock> expected, List<ReplayLock> locks, int[] takenBy, boolean[] tried) {
        for (int l = 0; l < tried.length; l++) {
            if (!tried[l] && expected.get(e).matches(locks.get(l))) {
                tried[l] = true;
                if (takenBy[l] == FREE || place(takenBy[l], expected, locks, takenBy, tried)) {
                    takenBy[l] = e;
                    return true;
                }
            }
        }
        return false;
    }
}
