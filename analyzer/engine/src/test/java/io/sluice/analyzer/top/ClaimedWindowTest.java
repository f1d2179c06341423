package io.sluice.analyzer.top;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClaimedWindowTest {
    private static final long NOW = 1_763_700_000_000L;

    private final ClaimedWindow window = new ClaimedWindow();

    @Test
    void at_withoutRequests_isNone() {
        assertThat(window.at(NOW)).isEqualTo(ClaimedShare.NONE);
        assertThat(window.at(NOW).share()).isZero();
    }

    @Test
    void at_withinTheMinute_countsBoth() {
        window.add(NOW, 3, true);
        window.add(NOW + 30_000, 1, false);

        assertThat(window.at(NOW + 30_000)).isEqualTo(new ClaimedShare(4, 3));
        assertThat(window.at(NOW + 30_000).share()).isEqualTo(0.75);
    }

    @Test
    void at_aMinuteLater_dropsWhatIsOld() {
        window.add(NOW, 3, true);
        window.add(NOW + 30_000, 1, false);

        assertThat(window.at(NOW + 60_000)).isEqualTo(new ClaimedShare(1, 0));
        assertThat(window.at(NOW + 90_000)).isEqualTo(ClaimedShare.NONE);
    }

    @Test
    void add_afterAGapOfAnyLength_startsAnew() {
        window.add(NOW, 3, true);
        window.add(NOW + 61_000, 1, false);
        window.add(NOW + 86_400_000, 2, true);

        assertThat(window.at(NOW + 86_400_000)).isEqualTo(new ClaimedShare(2, 2));
    }

    @Test
    void add_olderThanTheNewest_countsAsTheNewest() {
        window.add(NOW, 1, false);
        window.add(NOW - 300_000, 1, true);

        assertThat(window.at(NOW)).isEqualTo(new ClaimedShare(2, 1));
    }
}
