package io.sluice.analyzer.replay;

/** Percentiles by nearest rank: always one of the values. */
final class Percentiles {
    private Percentiles() {}

    /**
     * @param sorted smallest first
     * @param percent 1 to 100
     * @return 0 where there are no values
     */
    static long of(long[] sorted, int percent) {
        if (sorted.length == 0) {
            return 0;
        }
        long rank = ((long) sorted.length * percent + 99) / 100;
        return sorted[(int) Math.max(0, rank - 1)];
    }
}
