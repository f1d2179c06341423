package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EndsPaceTest {
    private static final long START = TimeUnit.HOURS.toNanos(5);

    private final EndsPace pace = new EndsPace(START);

    /** How often it asks when it is called every 200 ms from one second to another. */
    private long asked(int from, int to, long activity) {
        long count = 0;
        for (long millis = from * 1_000L; millis < to * 1_000L; millis += 200) {
            count += pace.due(activity, START + TimeUnit.MILLISECONDS.toNanos(millis)) ? 1 : 0;
        }
        return count;
    }

    @Test
    void nothingHappensForAMinute_asksOnceASecond() {
        assertThat(asked(0, 60, 7)).isEqualTo(300);
        assertThat(asked(60, 120, 7)).isBetween(59L, 61L);
    }

    @Test
    void somethingHappens_asksAtEachCallForAMinute() {
        asked(0, 200, 7);

        assertThat(asked(200, 260, 8)).isEqualTo(300);
        assertThat(asked(260, 320, 8)).isBetween(59L, 61L);
    }
}
