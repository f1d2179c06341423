package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SparklineTest {
    @Test
    void theTallestIsTheLargestAndWhateverThereIsIsSeen() {
        assertThat(Sparkline.of(List.of(0.0, 0.001, 4.0, 8.0), true)).isEqualTo(" ▁▄█");
        assertThat(Sparkline.of(List.of(0.0, 0.001, 4.0, 8.0), false)).isEqualTo(" _-#");
    }

    @Test
    void nothingAtAllIsALineOfSpaces() {
        assertThat(Sparkline.of(List.of(0.0, 0.0), true)).isEqualTo("  ");
        assertThat(Sparkline.of(List.of(), true)).isEmpty();
    }

    @Test
    void asManyColumnsAsThereIsRoomForAndNoNumberLost() {
        List<Double> sixty = DoubleStream.generate(() -> 1).limit(60).boxed().toList();
        List<Double> one =
                IntStream.range(0, 600).mapToObj(i -> i == 599 ? 1.0 : 0.0).toList();

        assertThat(Sparkline.of(sixty, true)).isEqualTo("█".repeat(60));
        assertThat(Sparkline.of(one, true)).isEqualTo(" ".repeat(59) + "█");
    }
}
