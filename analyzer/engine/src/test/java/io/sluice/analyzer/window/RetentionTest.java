package io.sluice.analyzer.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.policy.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetentionTest {
    private static final long SLACK = 65_000;

    @ParameterizedTest
    @CsvSource({
        "1000, 4, SHORT",
        "60000, 60, SHORT",
        "60000, 600, SHORT",
        "600000, 60, MEDIUM",
        "3600000, 60, MEDIUM",
        "7200000, 60, LONG",
        "86400000, 600, LONG",
        "86400000, 4, LONG"
    })
    void aWindowGetsTheShortestRetentionThatHoldsIt(long millis, int panes, Retention retention) {
        assertThat(Retention.of(new Window(millis, panes), SLACK)).isEqualTo(retention);
    }

    @ParameterizedTest
    @CsvSource({"1000, 4", "1000, 500", "60000, 60", "60000, 600", "3600000, 60", "86400000, 600", "86400000, 4"})
    void theRetentionCoversTheOldestBlockThatALateEventNeeds(long millis, int panes) {
        Shape shape = Shape.of(new Window(millis, panes), SLACK);
        long newest = 1_763_700_000_000L;

        for (long time = newest - SLACK - millis; time <= newest - SLACK; time += Math.max(1, millis / 100)) {
            long oldest = shape.blockStart(shape.block(shape.window().paneOf(time)));
            assertThat(newest - oldest).isLessThanOrEqualTo(shape.retention().millis());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 600})
    void theLongestWindow_withTheGreatestLatenessAndSkewOfTheSettings_isHeld(int panes) {
        assertThat(Retention.of(new Window(86_400_000, panes), 59 * 60_000 + 60_000))
                .isEqualTo(Retention.LONG);
    }

    @Test
    void aWindowThatNoneHoldsIsRefused() {
        assertThatThrownBy(() -> Retention.of(new Window(172_800_000, 60), SLACK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 198000000 ms are kept");
    }
}
