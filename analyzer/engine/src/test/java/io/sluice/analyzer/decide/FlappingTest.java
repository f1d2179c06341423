package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.policies;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.contract.policy.PolicySet;
import io.sluice.testing.Seeds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Demand that stays near the threshold, here 240 a minute, opens and shuts no gate all the time. */
class FlappingTest {
    private static final long HOUR = 3_600_000;
    private static final long AN_HOUR_OF_STEPS = HOUR / Caller.STEP;
    private static final int THRESHOLD = 240;
    private static final List<String> MODES =
            List.of("'mode':'block'", "'mode':'throttle','rate':'1/s'", "'mode':'shed'");
    private static final List<Double> DISTANCES = List.of(1.01, 1.20, 0.99, 0.81, 0.79);

    private static PolicySet mode(String mode) {
        return policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':" + THRESHOLD + "}],"
                + mode + "}}");
    }

    static Stream<Arguments> near() {
        return MODES.stream().flatMap(mode -> DISTANCES.stream().map(part -> Arguments.of(mode, part)));
    }

    /** In the default build each mode with one distance above the threshold and one below. */
    static Stream<Arguments> some() {
        List<Arguments> few = List.of(
                Arguments.of(MODES.get(0), 1.01),
                Arguments.of(MODES.get(0), 0.99),
                Arguments.of(MODES.get(1), 1.20),
                Arguments.of(MODES.get(1), 0.81),
                Arguments.of(MODES.get(2), 1.01),
                Arguments.of(MODES.get(2), 0.79));
        long all = near().count();
        return Seeds.of(few.size(), (int) all) < all ? few.stream() : near();
    }

    static Stream<String> modes() {
        return MODES.stream().limit(Seeds.of(1, MODES.size()));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("some")
    void steadyDemandThatGoesOnWhateverIsRejectedOpensAtMostTwiceAnHour(String mode, double part) {
        Caller caller = new Caller(mode(mode), 500, 1);

        for (long i = 0; i < AN_HOUR_OF_STEPS; i++) {
            caller.step(caller.steady(part * THRESHOLD));
        }

        assertThat(caller.opened()).isEqualTo(part > 1 ? 1 : 0);
        assertThat(caller.rig.counts.of(Count.RELEASED)).isZero();
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("near")
    void noisyDemandOpensAtMostTwiceAnHour(String mode, double part) {
        for (long seed = 1; seed <= 3; seed++) {
            Caller caller = new Caller(mode(mode), 500, seed);
            for (long i = 0; i < AN_HOUR_OF_STEPS; i++) {
                caller.step(caller.random(part * THRESHOLD));
            }

            assertThat(caller.opened()).as("seed %d", seed).isLessThanOrEqualTo(2);
            assertThat(caller.opened()).as("seed %d", seed).isGreaterThanOrEqualTo(part > 1 ? 1 : 0);
        }
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("near")
    void aCallerThatSendsAgainWhatWasRejectedOpensAtMostTwiceAnHour(String mode, double part) {
        Caller caller = new Caller(mode(mode), 500, 4);
        int again = 0;

        for (long i = 0; i < AN_HOUR_OF_STEPS; i++) {
            again = Math.min(100, caller.step(caller.random(part * THRESHOLD) + again));
        }

        assertThat(caller.opened()).isBetween(part > 1 ? 1L : 0L, 2L);
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("some")
    void aCallerThatLowersItsDemandForGoodAfterABurstIsLockedOnce(String mode, double part) {
        Caller caller = new Caller(mode(mode), 500, 5);
        caller.step(2 * THRESHOLD);

        for (long i = 1; i < AN_HOUR_OF_STEPS; i++) {
            caller.step(caller.steady(Math.min(part, 0.99) * THRESHOLD));
        }

        // down to 80 % the lock is renewed; below, it ends by itself and nothing is over any more
        assertThat(caller.opened()).isEqualTo(1);
        assertThat(caller.rig.counts.of(Count.EXPIRED)).isEqualTo(part < 0.8 ? 1 : 0);
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("modes")
    void aCallerThatWaitsWhileItIsLockedAndThenGoesOnIsLockedForLongerEachTime(String mode) {
        Caller caller =
                new Caller(mode(mode + ",'for':'5m','escalate':{'factor':2,'upTo':'2h','forget':'24h'}"), 500, 6);
        long waits = 0;

        for (long i = 0; i < AN_HOUR_OF_STEPS; i++) {
            if (caller.step(caller.now < waits ? 0 : caller.steady(1.2 * THRESHOLD)) > 0) {
                waits = caller.rig.last().until();
            }
        }

        // 5, 10, 20 and 40 minutes, with less than a minute each to be over again
        assertThat(caller.opened()).isEqualTo(4);
        assertThat(caller.rig.said).extracting(lock -> lock.level()).contains(1, 2, 3, 4);
    }

    /** Until the window has lost them, the requests that were over are over: a caller that came back would be locked. */
    @Test
    void aLockShorterThanItsWindowDoesNotOpenTwiceForTheSameRequests() {
        Caller caller = new Caller(mode("'for':'5s'"), 250, 7);
        caller.step(THRESHOLD + 1);

        // one request a second, and the window still holds the burst
        for (long i = 1; i < 400; i++) {
            caller.step(i % 4 == 0 ? 1 : 0);
        }

        assertThat(caller.opened()).isEqualTo(1);
        assertThat(caller.locked()).isFalse();
    }
}
