package io.sluice.analyzer.run;

/**
 * How often {@link LogEnds} asks: at each call, but once a second when nothing has been read or published for a minute. Each answer moves the
 * positions that meters publish, so an idle fleet would go on writing and reading them. Not thread-safe.
 */
final class EndsPace {
    private static final long QUIET_AFTER_NANOS = 60_000_000_000L;
    private static final long QUIET_EVERY_NANOS = 1_000_000_000L;

    private long activity;
    private long changed;
    private long asked;

    /** @param nanoTime the monotonic clock */
    EndsPace(long nanoTime) {
        changed = nanoTime;
        asked = nanoTime - QUIET_EVERY_NANOS;
    }

    /**
     * Returns whether to ask now.
     *
     * @param activity a number that differs when something was read or published
     * @param nanoTime the monotonic clock
     */
    boolean due(long activity, long nanoTime) {
        if (activity != this.activity) {
            this.activity = activity;
            changed = nanoTime;
        }
        if (nanoTime - changed >= QUIET_AFTER_NANOS && nanoTime - asked < QUIET_EVERY_NANOS) {
            return false;
        }
        asked = nanoTime;
        return true;
    }
}
