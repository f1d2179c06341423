package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.replay.ReplayLock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Crowding alone is no reason for a lock: others must have become slow. */
class OthersSlowTest {
    private static final String POLICY = "'per':['caller'],'window':'1m','panes':6,"
            + "'lock':{'when':[{'share':'50%','of':[],'whenOthersSlow':1.5}]}";

    /** Twenty minutes in which all is well: 10 ms for every caller. */
    private static Played usually() {
        return new Played(POLICY)
                .calls("acme", 200, 0, 1200, 10_000)
                .calls("ada", 300, 0, 1200, 10_000)
                .calls("bob", 300, 0, 1200, 10_000);
    }

    /** Then acme crowds, and the others' requests take so long. */
    private static List<ReplayLock> whenAcmeCrowds(long othersMicros) {
        return usually()
                .calls("acme", 600, 1200, 120, 40_000)
                .calls("ada", 30, 1200, 120, othersMicros)
                .calls("bob", 30, 1200, 120, othersMicros)
                .locks();
    }

    @ParameterizedTest
    @CsvSource({"10000, 0", "14900, 0", "15100, 1", "40000, 1"})
    void theOthersHaveToBeSlowerThanTheyUsedToBe(long othersMicros, int locks) {
        assertThat(whenAcmeCrowds(othersMicros)).hasSize(locks);
    }

    @Test
    void itsOwnSlownessIsNoHarm() {
        List<ReplayLock> locks = usually()
                .calls("acme", 600, 1200, 120, 500_000)
                .calls("ada", 30, 1200, 120, 10_000)
                .calls("bob", 30, 1200, 120, 10_000)
                .locks();

        assertThat(locks).isEmpty();
    }

    @Test
    void whoIsSlowButCrowdsNobodyIsNotLocked() {
        List<ReplayLock> locks = usually()
                .calls("acme", 30, 1200, 120, 40_000)
                .calls("ada", 60, 1200, 120, 40_000)
                .calls("bob", 60, 1200, 120, 40_000)
                .locks();

        assertThat(locks).isEmpty();
    }

    @Test
    void theEvidenceIsTheShare() {
        assertThat(whenAcmeCrowds(40_000)).singleElement().satisfies(lock -> {
            assertThat(lock.subject()).containsExactly("acme");
            assertThat(lock.evidence().detector()).isEqualTo("share");
            assertThat(lock.evidence().observed()).isGreaterThan(0.5);
        });
    }

    @Test
    void whereThePastIsNotKnownNobodyIsAccused() {
        List<ReplayLock> locks = new Played(POLICY)
                .calls("ada", 60, 0, 300, 10_000)
                .calls("acme", 600, 300, 120, 40_000)
                .calls("ada", 60, 300, 120, 90_000)
                .locks();

        assertThat(locks).isEmpty();
    }
}
