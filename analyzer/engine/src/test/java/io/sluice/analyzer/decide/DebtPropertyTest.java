package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.policies;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.contract.policy.PolicySet;
import io.sluice.testing.Seeds;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Hours of a caller that owes: whatever it does, it is admitted its limit over time, and no more than a window's beyond. */
class DebtPropertyTest {
    private static final long STEPS = Seeds.of(1, 3) * 3_600_000L / Caller.STEP;

    private static PolicySet owing(int threshold, String window, String mode) {
        return policies("{'name':'p','per':['caller'],'window':'" + window + "','lock':{'when':[{'above':" + threshold
                + "}],'for':'debt','upTo':'6h'" + mode + "}}");
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(2, 8));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void admittedIsAtMostTheLimitOverTimeAndAWindowAndWhatPassedBeforeTheGateWasShut(long seed) {
        Random random = new Random(seed);
        int threshold = 20 + random.nextInt(400);
        long window = random.nextBoolean() ? 60_000 : 10_000;
        Caller caller = new Caller(owing(threshold, window / 1000 + "s", ""), 250L * (1 + random.nextInt(8)), seed);
        boolean retries = random.nextBoolean();
        double perMinute = threshold * 60_000.0 / window;
        double pace = 0;
        int again = 0;

        for (long i = 0; i < STEPS; i++) {
            if (i % 400 == 0) {
                pace = perMinute * random.nextDouble() * (random.nextInt(5) == 0 ? 20 : 2);
            }
            int rejected = caller.step(caller.random(Math.min(pace, 60_000)) + again);
            again = retries ? Math.min(rejected, 200) : 0;
            double limit = threshold * (double) (caller.now - Rig.TIME) / window;
            // requests count from the start of their pane, so what drains in a pane may be missed
            double pane = threshold / 50.0 + 1;
            // slipped is the most of any one lock: each must be paid back before the next
            assertThat((double) caller.admitted).isLessThanOrEqualTo(limit + threshold + caller.slipped + pane);
        }

        assertThat(caller.opened()).isGreaterThan(1);
        assertThat(caller.rig.counts.of(Count.RENEWED)).isZero();
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @CsvSource({"250", "1000", "2000"})
    void aCallerThatNeverStopsTryingIsFreedWhenItsDebtIsPaidAndGetsItsLimit(long reaction) {
        Caller caller = new Caller(owing(60, "1m", ""), reaction, 1);
        long longest = 0;
        long since = caller.now;

        for (long i = 0; i < STEPS; i++) {
            caller.step(5);
            since = caller.obeys() ? since : caller.now;
            longest = Math.max(longest, caller.now - since);
        }

        double hours = (caller.now - Rig.TIME) / 3_600_000.0;
        assertThat(caller.admitted / hours).isBetween(3500.0, 3700.0);
        // what it owes at worst, at one a second: half a window, and what slipped through
        assertThat(longest).isLessThanOrEqualTo(30_000 + caller.slipped * 1000 + reaction);
        assertThat(caller.rejected).isGreaterThan(15 * caller.admitted);
    }
}
