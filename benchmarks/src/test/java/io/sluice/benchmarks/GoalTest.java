package io.sluice.benchmarks;

import static io.sluice.benchmarks.Goal.Outcome.BEYOND;
import static io.sluice.benchmarks.Goal.Outcome.MET;
import static io.sluice.benchmarks.Goal.Outcome.MISSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
    void onlyARatioWithAGoalCanLieBeyondIt() {
        Report report = new Report("gate");
        report.ratio("told", 100);
        report.ratio("promised", 100, Goal.atMost(1, 2));

        assertThat(report.beyond()).extracting(Report.Ratio::name).containsExactly("promised");
        assertThat(new Report("empty").beyond()).isEmpty();
        assertThat(Goal.atMost(1, 2).of(1)).isEqualTo(MET).isNotEqualTo(MISSED).isNotEqualTo(BEYOND);
    }
}
