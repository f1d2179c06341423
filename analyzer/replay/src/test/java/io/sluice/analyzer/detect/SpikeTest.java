package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.analyzer.replay.ReplayLock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A minute's window and a baseline of ten minutes: a caller is known after eleven. */
class SpikeTest {
    private static final String SPIKE =
            "'per':['caller'],'window':'1m','lock':{'for':'2m','when':[{'spike':5,'baseline':'10m','floor':20}]}";

    /** A caller with ten requests a minute, for so long. */
    private static Played usually(int minutes) {
        return new Played(SPIKE).calls("acme", 10 * minutes, 0, 60 * minutes, 0);
    }

    @ParameterizedTest
    @CsvSource({"30, 0", "38, 0", "45, 1", "200, 1"})
    void moreThanFiveTimesTheUsualIsASpike(int more, int locks) {
        assertThat(usually(20).calls("acme", more, 1200, 10, 0).locks()).hasSize(locks);
    }

    @Test
    void theEvidenceIsTheFactor() {
        List<ReplayLock> locks = usually(20).calls("acme", 200, 1200, 10, 0).locks();

        assertThat(locks).singleElement().satisfies(lock -> {
            assertThat(lock.evidence().detector()).isEqualTo("spike");
            assertThat(lock.evidence().threshold()).isEqualTo(5);
            assertThat(lock.evidence().observed()).isCloseTo(5.1, within(0.1));
            assertThat(lock.evidence().sum()).isCloseTo(51, within(2.0));
        });
    }

    @ParameterizedTest
    @CsvSource({"19, 0", "20, 0", "21, 1"})
    void nothingBelowTheFloorIsASpike(int requests, int locks) {
        Played rare = new Played(SPIKE).calls("acme", 15, 0, 900, 0);

        assertThat(rare.calls("acme", requests, 1020, 1, 0).locks()).hasSize(locks);
    }

    @Test
    void aCallerThatIsNotKnownYetHasNoSpikes() {
        assertThat(new Played(SPIKE).calls("acme", 1000, 0, 10, 0).locks()).isEmpty();
        assertThat(usually(8).calls("acme", 1000, 480, 10, 0).locks()).isEmpty();
    }

    @Test
    void whatACallerDoesWhileItIsLockedDoesNotBecomeUsual() {
        List<ReplayLock> locks = usually(20)
                .calls("acme", 6000, 1200, 1200, 0)
                .calls("acme", 100, 2400, 600, 0)
                .calls("acme", 300, 3000, 60, 0)
                .locks();

        // the second spike is judged against ten a minute, not against the three hundred of the first
        assertThat(locks).hasSize(2);
        assertThat(locks.get(1).at()).isBetween(Played.START + 3_000_000, Played.START + 3_060_000);
    }

    @Test
    void ofDifferentValuesWholeWindowsAreCompared() {
        Played played = new Played("'per':['caller'],'measure':{'distinct':'route'},'window':'1m',"
                + "'lock':{'when':[{'spike':5,'baseline':'10m','floor':5}]}");
        for (int minute = 0; minute < 20; minute++) {
            for (int i = 0; i < 40; i++) {
                played.at("acme", minute * 60_000L + i * 1000L, "/usual/" + i % 4, 200, 0);
            }
        }
        assertThat(played.locks()).isEmpty();

        for (int i = 0; i < 30; i++) {
            played.at("acme", 1_200_000L + i * 1000L, "/scan/" + i, 200, 0);
        }

        assertThat(played.locks()).singleElement().satisfies(lock -> {
            assertThat(lock.evidence().sum()).isEqualTo(21);
            assertThat(lock.evidence().observed()).isCloseTo(21 / 4.0, within(0.01));
        });
    }
}
