package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.policies;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shedding, with the agent that sheds and the requests that it lets pass: the threshold is 2,400 a minute. */
class ClosedLoopTest {
    private static final int THRESHOLD = 2400;
    private static final int STEPS_A_MINUTE = (int) (60_000 / Caller.STEP);

    private final Caller caller = new Caller(
            policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':" + THRESHOLD
                    + "}],'mode':'shed'}}"),
            500,
            11);

    /** What is admitted in each sliding minute of this time, as parts of the threshold. */
    private List<Double> admitted(double demand, int minutes) {
        List<Double> parts = new ArrayList<>();
        List<Long> totals = new ArrayList<>();
        for (int i = 0; i < minutes * STEPS_A_MINUTE; i++) {
            caller.step(caller.steady(demand * THRESHOLD));
            totals.add(caller.admitted);
            if (i >= STEPS_A_MINUTE) {
                parts.add((double) (totals.get(i) - totals.get(i - STEPS_A_MINUTE)) / THRESHOLD);
            }
        }
        return parts;
    }

    /** Five points of the demand, which is how far a ratio may be off, and three deviations of the agent's dice. */
    private static double band(double demand) {
        return 0.05 * demand + 3 / Math.sqrt(THRESHOLD);
    }

    private static void within(List<Double> parts, double demand) {
        assertThat(parts).allSatisfy(part -> assertThat(part).isBetween(1 - band(demand), 1 + band(demand)));
    }

    @ParameterizedTest
    @CsvSource({"1.2", "1.5", "2", "4"})
    void whatIsAdmittedStaysAtTheThreshold(double demand) {
        admitted(demand, 3);

        within(admitted(demand, 10), demand);
    }

    @Test
    void steadyDemandMovesNoRatio() {
        admitted(2, 3);
        double before = caller.rig.last().ratio();
        int said = caller.rig.said.size();

        admitted(2, 10);

        // renewed each 200 s
        assertThat(caller.rig.said.size() - said).isLessThanOrEqualTo(4);
        assertThat(caller.rig.said.subList(said, caller.rig.said.size()))
                .extracting(GateLock::ratio)
                .allSatisfy(ratio -> assertThat(ratio).isBetween(before - 0.05, before + 0.05));
        assertThat(caller.opened()).isEqualTo(1);
    }

    @Test
    void demandThatDoublesIsFollowedWithinAWindowAndWithoutSwinging() {
        admitted(2, 3);
        int said = caller.rig.said.size();

        List<Double> after = admitted(4, 8);

        // the window sees a doubling as it fills: 2 ln 2 = 1.39 in the minute after it
        assertThat(after.get(0)).isBetween(1.2, 1.5);
        within(after.subList(STEPS_A_MINUTE, after.size()), 4);
        assertThat(ratios(said)).isSorted();
    }

    @Test
    void demandThatHalvesIsFollowedWithinAWindowAndWithoutSwinging() {
        admitted(4, 3);
        int said = caller.rig.said.size();

        List<Double> after = admitted(2, 8);

        assertThat(after.get(0)).isBetween(0.6, 0.8);
        within(after.subList(STEPS_A_MINUTE, after.size()), 2);
        assertThat(ratios(said)).isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }

    @Test
    void aCallerThatSendsHalfOfTheRejectedAgainIsShedToTheSameThreshold() {
        int again = 0;
        List<Long> totals = new ArrayList<>();
        for (int i = 0; i < 15 * STEPS_A_MINUTE; i++) {
            again = caller.step(caller.steady(1.5 * THRESHOLD) + again) / 2;
            totals.add(caller.admitted);
        }

        // demand settles at (1.5 − 0.5) ÷ (1 − 0.5) = 2
        for (int i = 4 * STEPS_A_MINUTE; i < totals.size(); i++) {
            double part = (double) (totals.get(i) - totals.get(i - STEPS_A_MINUTE)) / THRESHOLD;
            assertThat(part).isBetween(1 - band(2), 1 + band(2));
        }
    }

    @Test
    void demandThatFallsAwayOpensTheGate() {
        admitted(3, 3);

        admitted(0.3, 3);

        assertThat(caller.rig.last().mode()).isEqualTo(Mode.OPEN);
    }

    /** Ratios told since, leaving out those that a renewal told without their having moved. */
    private List<Double> ratios(int since) {
        List<Double> moved = new ArrayList<>();
        double last = caller.rig.said.get(since - 1).ratio();
        for (GateLock lock : caller.rig.said.subList(since, caller.rig.said.size())) {
            if (Shedding.moved(last, lock.ratio())) {
                moved.add(lock.ratio());
                last = lock.ratio();
            }
        }
        return moved;
    }
}
