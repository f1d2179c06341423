package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Played in append time: acme may call three times a minute, and its fourth call is the one that is looked at. */
class ReplayEngineAppendTest {
    private static final long NOW = 1_772_445_600_000L;

    private final ReplayEngine engine = new ReplayEngine(TestPolicies.above(3));

    @AfterEach
    void close() {
        engine.close();
    }

    private void appended(long time, long append) {
        engine.add(TestEvents.admitted("acme", time), append);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "4999,4999", "5000,5000", "5001,0", "3600000,0", "-30000,-30000"})
    void aLockIsAtTheTimeOfItsEventWhereThatIsBelieved(long ahead, long at) {
        for (int i = 0; i < 4; i++) {
            appended(NOW + ahead, NOW);
        }

        assertThat(engine.locks()).singleElement().satisfies(lock -> {
            assertThat(lock.at()).isEqualTo(NOW + at);
            assertThat(lock.until()).isEqualTo(NOW + 300_000);
        });
    }

    @ParameterizedTest
    @CsvSource({"29999,1", "30000,1", "30001,0"})
    void nothingOpensOnABacklog(long behind, int locks) {
        for (int i = 0; i < 4; i++) {
            appended(NOW - behind, NOW);
        }

        assertThat(engine.locks()).hasSize(locks);
    }

    @ParameterizedTest
    @CsvSource({"59999,0", "60000,0", "60001,3"})
    void whatIsLateIsNotCountedAndTheRestIs(long behind, long late) {
        for (int i = 0; i < 3; i++) {
            appended(NOW - behind, NOW);
        }

        assertThat(engine.late()).isEqualTo(late);
    }

    @Test
    void whatABacklogSilencedOpensWithTheFirstPunctualEvent() {
        for (int i = 0; i < 4; i++) {
            appended(NOW - 40_000, NOW);
        }
        assertThat(engine.locks()).isEmpty();

        appended(NOW + 1_000, NOW + 1_000);

        assertThat(engine.locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.at()).isEqualTo(NOW + 1_000));
    }

    @Test
    void theClockNeverGoesBack() {
        appended(NOW, NOW);
        for (int i = 0; i < 4; i++) {
            appended(NOW - 1_000, NOW - 1_000);
        }

        assertThat(engine.locks()).singleElement().satisfies(lock -> {
            assertThat(lock.at()).isEqualTo(NOW);
            assertThat(lock.until()).isEqualTo(NOW + 300_000);
        });
    }

    @Test
    void aLateEventLetsTimePassForTheLocksThereAre() {
        for (int i = 0; i < 4; i++) {
            appended(NOW, NOW);
        }

        engine.add(TestEvents.admitted("somebody", NOW), NOW + 90_000);

        assertThat(engine.late()).isOne();
        // its window is empty after a minute, and the next look is at most 250 ms later
        assertThat(engine.locks()).singleElement().satisfies(lock -> {
            assertThat(lock.released()).isTrue();
            assertThat(lock.until()).isBetween(NOW + 60_000, NOW + 60_250);
        });
    }
}
