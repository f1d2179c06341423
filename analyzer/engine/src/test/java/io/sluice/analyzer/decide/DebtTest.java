package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.decide.LeaseRig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.PolicySet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lock for a debt lasts until the debt is paid: one threshold, here 60, drains in a window, here a minute. */
class DebtTest {
    private final LeaseRig rig = new LeaseRig(owing(""));

    private static PolicySet owing(String more) {
        return policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':60}],'for':'debt',"
                + "'upTo':'10m'" + more + "}}");
    }

    @ParameterizedTest
    @CsvSource({"61, 31000", "90, 60000", "600, 570000", "630, 600000", "660, 600000", "1e300, 600000"})
    void aLockLastsUntilTheReleasesPartOfTheThresholdIsLeftButNotPastTheCap(double level, long millis) {
        rig.over("acme", level, TIME);

        assertThat(rig.length()).isEqualTo(millis);
        assertThat(rig.last().evidence().detector()).isEqualTo("debt");
        assertThat(rig.last().evidence().observed()).isEqualTo(level);
        assertThat(rig.last().evidence().threshold()).isEqualTo(60);
    }

    @Test
    void theLevelHasDrainedSinceItWasSeen() {
        rig.over("acme", 90, TIME - 20_000, TIME);

        assertThat(rig.last().until()).isEqualTo(TIME + 40_000);
    }

    @ParameterizedTest
    @CsvSource({"20, 25999, 1", "20, 26000, 0", "20, 26001, 0"})
    void aDebtThatIsPaidAlreadyLocksNobody(long threshold, long ago, int locks) {
        LeaseRig quick = new LeaseRig(policies("{'name':'p','per':['caller'],'window':'10s','lock':{'when':[{'above':"
                + threshold + "}],'for':'debt'}}"));

        // 62 of 20: 2.6 windows above half a threshold
        quick.over("acme", 62, TIME - ago, TIME);

        assertThat(quick.counts.of(Count.OPENED)).isEqualTo(locks);
        assertThat(quick.counts.of(Count.SILENCED)).isEqualTo(1 - locks);
    }

    @Test
    void whatPassedBeforeTheGateWasShutMovesTheEnd() {
        rig.over("acme", 61, TIME);
        rig.debt = 75;

        rig.look(TIME + 500);

        assertThat(rig.last().until()).isEqualTo(TIME + 500 + 45_000);
        assertThat(rig.last().since()).isEqualTo(TIME);
        assertThat(rig.last().mode()).isEqualTo(Mode.BLOCK);
        assertThat(rig.counts.of(Count.REWRITTEN)).isEqualTo(1);
    }

    @Test
    void anEndThatIsNearerThanWasThoughtIsToldToo() {
        rig.over("acme", 90, TIME);
        rig.debt = 70;

        rig.look(TIME + 1000);

        assertThat(rig.last().until()).isEqualTo(TIME + 1000 + 40_000);
    }

    @Test
    void aDebtThatDrainsAsForetoldMovesNothing() {
        rig.over("acme", 90, TIME);

        for (long after = 250; after < 60_000; after += 250) {
            rig.debt = 90 - after / 1000.0;
            rig.look(TIME + after);
        }

        assertThat(rig.said).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"94.9, 1", "95, 2", "95.1, 2"})
    void anEndThatIsOffByATenthOfWhatIsLeftIsToldAnew(double level, int records) {
        // 50 s left; half a minute's worth stays: 30 + 50 would end as foretold
        rig.over("acme", 140, TIME);
        rig.debt = level - 10;

        rig.look(TIME + 60_000);

        assertThat(rig.said).hasSize(records);
    }

    @Test
    void noLevelMovesTheEndPastTheCap() {
        rig.over("acme", 90, TIME);
        rig.debt = 10_000;

        for (long after = 250; after < 600_000; after += 250) {
            rig.look(TIME + after);
        }

        assertThat(rig.length()).isEqualTo(600_000);
        assertThat(rig.counts.of(Count.EXPIRED)).isZero();
        rig.look(TIME + 600_000);
        assertThat(rig.counts.of(Count.EXPIRED)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"480", "NaN"})
    void policies_lowerCapThatIsOver_releasesTheLock(double level) {
        rig.over("acme", 600, TIME);
        rig.policies(cappedAt("1m"));
        rig.debt = level;

        rig.look(TIME + 120_000);
        rig.look(TIME + 120_250);

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
        assertThat(rig.counts.of(Count.RELEASED)).isEqualTo(1);
        assertThat(rig.counts.of(Count.REWRITTEN)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"480", "NaN"})
    void policies_lowerCap_movesTheEnd(double level) {
        rig.over("acme", 600, TIME);
        rig.policies(cappedAt("5m"));
        rig.debt = level;

        rig.look(TIME + 120_000);

        assertThat(rig.length()).isEqualTo(300_000);
        assertThat(rig.last().mode()).isEqualTo(Mode.BLOCK);
    }

    private static PolicySet cappedAt(String upTo) {
        return policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':60}],'for':'debt',"
                + "'upTo':'" + upTo + "'}}");
    }

    @ParameterizedTest
    @CsvSource({"29.9, 1", "30, 1", "30.1, 0"})
    void theGateOpensWhenTheReleasesPartOfTheThresholdIsLeft(double level, int released) {
        rig.over("acme", 90, TIME);
        rig.debt = level;

        rig.look(TIME + 1000);

        assertThat(rig.counts.of(Count.RELEASED)).isEqualTo(released);
    }

    @Test
    void noDemandRenewsIt() {
        rig.over("acme", 90, TIME);
        rig.demand = 100;

        for (long after = 250; after <= 60_000; after += 250) {
            rig.debt = 90 - after / 1000.0;
            rig.look(TIME + after);
        }

        assertThat(rig.counts.of(Count.RENEWED)).isZero();
        assertThat(rig.counts.of(Count.RELEASED) + rig.counts.of(Count.EXPIRED)).isEqualTo(1);
    }

    @Test
    void withoutNewsOfTheLevelItEndsAsForetold() {
        rig.over("acme", 90, TIME);

        for (long after = 250; after < 60_000; after += 250) {
            rig.look(TIME + after);
        }
        assertThat(rig.counts.of(Count.EXPIRED)).isZero();
        rig.look(TIME + 60_000);

        assertThat(rig.counts.of(Count.EXPIRED)).isEqualTo(1);
        assertThat(rig.said).hasSize(1);
    }

    @Test
    void aDebtLongerThanALeaseIsRewrittenInTime() {
        LeaseRig owes = new LeaseRig(policies(
                "{'name':'p','per':['caller'],'window':'1m'," + "'lock':{'when':[{'above':60}],'for':'debt'}}"));
        owes.over("acme", 2000, TIME);

        for (long after = 250; after < 1_800_000; after += 250) {
            owes.debt = 2000 - after / 1000.0;
            owes.look(TIME + after);
            long lease = owes.last().ttlMillis();
            assertThat(lease).isLessThanOrEqualTo(600_000);
        }

        // a record each 200 s, until one covers the rest
        assertThat(owes.counts.of(Count.REWRITTEN)).isBetween(6L, 9L);
    }

    @Test
    void aPolicyThatNoLongerLocksForDebtLooksAtDemandAgain() {
        rig.over("acme", 90, TIME);
        rig.policies(policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':60}]}}"));
        rig.debt = 0;
        rig.demand = 1;

        rig.look(TIME + 250);

        assertThat(rig.counts.of(Count.RELEASED)).isZero();
        assertThat(rig.counts.of(Count.RENEWED)).isEqualTo(1);
        assertThat(rig.last().until()).isEqualTo(TIME + 250 + 300_000);
    }

    @Test
    void aLockOfDemandDoesNotBecomeOneOfDebt() {
        LeaseRig asked = new LeaseRig(
                policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':60}],'for':'1m'}}"));
        asked.over("acme", 90, TIME);
        asked.policies(owing(""));
        asked.debt = 1000;
        asked.demand = 1;

        for (long after = 250; after <= 60_000; after += 250) {
            asked.look(TIME + after);
        }

        assertThat(asked.said).hasSize(1);
        assertThat(asked.counts.of(Count.EXPIRED)).isEqualTo(1);
    }

    @Test
    void aDebtThatIsShedTellsEndAndRatioTogether() {
        LeaseRig sheds = new LeaseRig(owing(",'mode':'shed'"));
        sheds.over("acme", 90, TIME);
        sheds.debt = 150;
        sheds.demand = 4;

        sheds.look(TIME + 250);

        assertThat(sheds.said).hasSize(2);
        assertThat(sheds.last().ratio()).isEqualTo(0.75);
        assertThat(sheds.last().until()).isEqualTo(TIME + 250 + 120_000);
    }
}
