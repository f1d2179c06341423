package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReportBoundTest {
    private static final long T = 1_763_700_000_000L;

    private final ReportBound bound = new ReportBound(100);

    @Test
    void requestsOfASecond_areCutOffAtTheBound_rejectedOnesOnTheirOwn() {
        assertThat(bound.within(false, 60, T)).isEqualTo(60);
        assertThat(bound.within(false, 60, T + 999)).isEqualTo(40);
        assertThat(bound.within(false, 1, T + 999)).isZero();
        assertThat(bound.within(true, 1_000_000, T + 999)).isEqualTo(100);
        assertThat(bound.within(true, 1, T + 999)).isZero();

        assertThat(bound.within(false, 7, T + 1_000)).isEqualTo(7);
    }

    @Test
    void timesThatGoBack_giveNoNewSecond() {
        assertThat(bound.within(false, 100, T)).isEqualTo(100);
        assertThat(bound.within(false, 1, T - 5_000)).isZero();
        assertThat(bound.within(false, 1, Long.MIN_VALUE)).isZero();
    }

    @Test
    void noBound_everythingIsWithin() {
        ReportBound none = new ReportBound(Long.MAX_VALUE);
        assertThat(none.within(false, Long.MAX_VALUE, T)).isEqualTo(Long.MAX_VALUE);
        assertThat(none.within(false, Long.MAX_VALUE, T)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aWarning_isDueOnceAMinute() {
        assertThat(bound.warns(T)).isTrue();
        assertThat(bound.warns(T + 59_999)).isFalse();
        assertThat(bound.warns(T + 60_000)).isTrue();
    }
}
