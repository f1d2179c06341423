package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlidingPeakTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void thePeakIsThatOfEveryWindowCountedOneByOne(long seed) {
        Random random = new Random(seed);
        SlidingPeak sliding = new SlidingPeak(1000);
        List<long[]> events = new ArrayList<>();
        long time = 0;
        long most = 0;
        for (int i = 0; i < 2000; i++) {
            time += random.nextInt(4) == 0 ? random.nextInt(700) : random.nextInt(3);
            long count = 1L + random.nextInt(3);
            events.add(new long[] {time, count});
            long now = time;
            most = Math.max(
                    most,
                    events.stream()
                            .filter(event -> event[0] > now - 1000)
                            .mapToLong(event -> event[1])
                            .sum());

            sliding.add(time, count);

            assertThat(sliding.peak()).isEqualTo(most);
        }
    }

    @Test
    void anEventOneWindowAgoNoLongerCounts() {
        SlidingPeak sliding = new SlidingPeak(1000);

        sliding.add(0, 1);
        sliding.add(1000, 1);

        assertThat(sliding.peak()).isEqualTo(1);
    }

    @Test
    void anEventJustInsideTheWindowCounts() {
        SlidingPeak sliding = new SlidingPeak(1000);

        sliding.add(1, 1);
        sliding.add(1000, 1);

        assertThat(sliding.peak()).isEqualTo(2);
    }
}
