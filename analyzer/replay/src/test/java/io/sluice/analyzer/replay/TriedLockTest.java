package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.contract.lock.Evidence;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TriedLockTest {
    private static final long PANE = 50;
    private static final ReplayLock LOCK = new ReplayLock(
            "noisy",
            List.of("acme"),
            1000,
            2000,
            "block",
            false,
            false,
            false,
            new Evidence("above", 4, 3, "requests", 10_000, 4, 0, 1000, 1010, "r"));

    private static Over over(long from, long lastSeen) {
        return new Over("noisy", List.of("acme"), "above", from, lastSeen, 4, 3);
    }

    private static TriedLock tried(long free, Verdict verdict) {
        return new TriedLock(LOCK, new WouldReject(), 1L, free, verdict);
    }

    @ParameterizedTest
    @CsvSource({"950, false", "951, true", "1000, true", "1500, true"})
    void aLockHoldsWhenItsSubjectWasOverLessThanAPaneBefore(long lastSeen, boolean holds) {
        assertThat(new Verdict(over(900, lastSeen), null, 1000, PANE).holds()).isEqualTo(holds);
    }

    @Test
    void aLockOfSomebodyWhoNeverWasOverDoesNotHold() {
        Verdict verdict = new Verdict(null, null, 1000, PANE);

        assertThat(verdict.holds()).isFalse();
        assertThat(tried(Long.MIN_VALUE, verdict).detectMillis()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"899, 110", "900, 110", "901, 109", "1010, 0"})
    void timeToDetectIsNotCountedWhileTheLastLockWasOn(long free, long millis) {
        Verdict verdict = new Verdict(over(900, 1000), null, 1000, PANE);

        assertThat(tried(free, verdict).detectMillis()).isEqualTo(OptionalLong.of(millis));
    }

    @Test
    void whatHadEndedBeforeIsNoBeginningOfThisLock() {
        Verdict verdict = new Verdict(over(900, 940), null, 1000, PANE);

        assertThat(tried(Long.MIN_VALUE, verdict).detectMillis()).isEmpty();
    }
}
