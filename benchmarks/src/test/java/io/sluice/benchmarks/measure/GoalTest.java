package io.sluice.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalTest {

    @ParameterizedTest
    @CsvSource({"0.49,MET", "0.5,MET", "0.51,MISSED", "0.8,MISSED", "0.81,BEYOND", "NaN,BEYOND"})
    void aRatioThatOughtToBeSmall(double ratio, Goal.Outcome outcome) {
        assertThat(Goal.atMost(0.5, 0.8).of(ratio)).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({"0.91,MET", "0.9,MET", "0.89,MISSED", "0.6,MISSED", "0.59,BEYOND", "NaN,BEYOND"})
    void aRatioThatOughtToBeLarge(double ratio, Goal.Outcome outcome) {
        assertThat(Goal.atLeast(0.9, 0.6).of(ratio)).isEqualTo(outcome);
    }

    @Test
    void aGuardTighterThanItsGoalIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Goal.atMost(0.5, 0.4));
        assertThatIllegalArgumentException().isThrownBy(() -> Goal.atLeast(0.5, 0.6));
    }

    @Test
    void aFullRun_failsOnEveryRatioBeyondItsGuardBand() {
        assertThat(beyond(Scale.FULL)).containsExactly("nanoseconds", "bytes");
    }

    @Test
    void aQuickRun_failsOnlyOnWhatDoesNotDependOnTime() {
        assertThat(beyond(Scale.QUICK)).containsExactly("bytes");
    }

    private static List<String> beyond(Scale scale) {
        Report report = new Report("gate", scale);
        report.ratio("without a goal", 100);
        report.ratio("nanoseconds", 100, Goal.atMost(1, 2));
        report.count("bytes", 100, Goal.atMost(1, 2));
        report.count("within its guard band", 2, Goal.atMost(1, 2));
        return report.beyond().stream().map(Report.Ratio::name).toList();
    }
}
