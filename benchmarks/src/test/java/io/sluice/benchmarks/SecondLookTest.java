package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class SecondLookTest {
    private final List<Report> printed = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    @Test
    void whatHoldsIsMeasuredOnce() throws Exception {
        assertThat(beyond(Scale.QUICK, new Told(1.5, 1))).isEmpty();
        assertThat(printed).hasSize(1);
        assertThat(told).isEmpty();
    }

    @Test
    void whatWentWildOnceIsMeasuredOnceMoreAndForgiven() throws Exception {
        assertThat(beyond(Scale.QUICK, new Told(3, 1), new Told(1, 1))).isEmpty();
        assertThat(printed).hasSize(2);
        assertThat(told).containsExactly("a is 3.00: beyond its guard band, so told is measured once more");
    }

    @Test
    void whatWentWildTwiceBroke() throws Exception {
        assertThat(beyond(Scale.QUICK, new Told(3, 1), new Told(4, 1)))
                .extracting(Report.Ratio::name)
                .containsExactly("a");
        assertThat(printed).hasSize(2);
    }

    @Test
    void twoRatiosThatWentWildOnceEachDidNotBreak() throws Exception {
        assertThat(beyond(Scale.QUICK, new Told(3, 1), new Told(1, 3))).isEmpty();
    }

    @Test
    void aWholeRunIsBelievedAtOnce() throws Exception {
        assertThat(beyond(Scale.FULL, new Told(3, 1)))
                .extracting(Report.Ratio::name)
                .containsExactly("a");
        assertThat(printed).hasSize(1);
    }

    private List<Report.Ratio> beyond(Scale scale, Told... runs) throws Exception {
        Queue<Told> left = new ArrayDeque<>(List.of(runs));
        return new SecondLook(scale, told::add, printed::add).beyond(new Benchmark() {
            @Override
            public String name() {
                return "told";
            }

            @Override
            public String purpose() {
                return "two ratios, at most 1 each, 2 with its guard band";
            }

            @Override
            public void run(Scale ignored, Report report) {
                Told now = left.remove();
                report.ratio("a", now.a(), Goal.atMost(1, 2));
                report.ratio("b", now.b(), Goal.atMost(1, 2));
            }
        });
    }

    private record Told(double a, double b) {}
}
