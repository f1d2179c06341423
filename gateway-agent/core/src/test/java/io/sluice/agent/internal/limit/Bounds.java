package io.sluice.agent.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

/** What each algorithm promises of the times at which permits were taken. */
final class Bounds {
    private Bounds() {}

    /** Replays admissions: the debt of an exact bucket must never be over the burst, which is the bound for every interval. */
    static void bucket(long[] sorted, TokenRate rate) {
        long fullAt = 0;
        for (long time : sorted) {
            fullAt = Math.max(fullAt, time) + rate.interval();
            assertThat(fullAt - time).isLessThanOrEqualTo(rate.tolerance());
        }
    }

    /** Never more than so many in any (t − window, t]. */
    static void window(long[] sorted, long permits, long nanos) {
        for (int i = (int) permits; i < sorted.length; i++) {
            assertThat(sorted[i] - sorted[i - (int) permits])
                    .as("from the permit at %d to the %d-th after it", sorted[i - (int) permits], permits)
                    .isGreaterThanOrEqualTo(nanos);
        }
    }

    /** Never more than so many from one border to the next. */
    static void aligned(long[] sorted, long permits, long nanos) {
        long window = -1;
        long count = 0;
        for (long time : sorted) {
            count = time / nanos == window ? count + 1 : 1;
            window = time / nanos;
            assertThat(count).as("permits in window %d", window).isLessThanOrEqualTo(permits);
        }
    }
}
