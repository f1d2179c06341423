package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.decide.LeaseRig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.detect.Threshold;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which part of the requests a shedding lock rejects, and when that is told. */
class SheddingTest {
    private static final String P = "{'name':'p','per':['caller'],'lock':{'when':[{'above':60}]%s}}";
    private static final Offset<Double> NEARLY = Offset.offset(1e-12);

    private final LeaseRig rig = new LeaseRig(shedding()).over("acme", 120, TIME);

    private static PolicySet shedding() {
        return policies(P.formatted(",'mode':'shed'"));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.99, 0", "1, 0", "1.25, 0.2", "2, 0.5", "4, 0.75", "Infinity, 1"})
    void whatIsLeftIsTheThreshold(double demand, double ratio) {
        assertThat(Shedding.ratio(demand)).isEqualTo(ratio, NEARLY);
    }

    @Test
    void aLockOpensWithTheRatioOfWhatWasAdmitted() {
        assertThat(rig.last().mode()).isEqualTo(Mode.SHED);
        assertThat(rig.last().ratio()).isEqualTo(0.5, NEARLY);
    }

    /** Of several conditions it sheds down to that of a sum, whichever is exceeded by least. */
    @Test
    void allOfSeveralConditions_ratioIsThatOfTheSum() {
        Threshold above = new Threshold(Threshold.ABOVE, 100, 100, null, 1, List.of());
        Threshold share = new Threshold(Threshold.SHARE, 0.4, 0, null, 1, List.of(above));

        assertThat(Shedding.ratio(share, 0.6, 300)).isEqualTo(2 / 3.0, NEARLY);
        assertThat(share.shed()).isEqualTo(above);
    }

    @Test
    void allOfSeveralConditions_ratioStaysThatOfTheSum() {
        Rig all = Rig.with(policies("{'name':'p','per':['caller'],'window':'1m','lock':{'mode':'shed',"
                + "'when':[{'all':[{'share':'40%'},{'above':200}]}]}}"));
        for (long now = TIME; now < TIME + 70_000; now += 1_000) {
            for (int caller = 0; caller < 10; caller++) {
                all.admit("caller-" + caller, 1, now);
            }
        }
        all.admit("acme", 600, TIME + 70_000).passed(TIME + 71_000);
        for (long now = TIME + 71_000; now < TIME + 400_000; now += 1_000) {
            for (int caller = 0; caller < 10; caller++) {
                all.admit("caller-" + caller, 1, now);
            }
            all.reject("acme", 10, now);
        }

        assertThat(all.said)
                .as("1.25 times the share, and three times the sum; six times while the first 600 are in the window")
                .hasSizeGreaterThan(1)
                .allSatisfy(lock -> assertThat(lock.ratio()).isBetween(0.6, 5 / 6.0));
        assertThat(all.last().ratio()).isCloseTo(2 / 3.0, Offset.offset(0.01));
    }

    @ParameterizedTest
    @CsvSource({
        "0.5, 0.549, false",
        "0.5, 0.55, true",
        "0.5, 0.551, true",
        "0.3, 0.35, true",
        "0.35, 0.3, true",
        "0.5, 0.451, false",
        "0.5, 0.45, true"
    })
    void aMoveOfFivePointsIsTold(double from, double to, boolean told) {
        rig.demand = 1 / (1 - from);
        rig.look(TIME + 250);
        int before = rig.said.size();
        rig.demand = 1 / (1 - to);

        rig.look(TIME + 500);

        assertThat(rig.said).hasSize(before + (told ? 1 : 0));
        assertThat(rig.last().ratio()).isEqualTo(told ? to : from, NEARLY);
    }

    @Test
    void smallMovesAddUp() {
        for (int i = 1; i <= 10; i++) {
            rig.demand = 1 / (0.5 - i * 0.01);
            rig.look(TIME + i * 250L);
        }

        assertThat(rig.said)
                .extracting(GateLock::ratio)
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo(0.5, NEARLY),
                        second -> assertThat(second).isEqualTo(0.55, NEARLY),
                        third -> assertThat(third).isEqualTo(0.6, NEARLY));
    }

    @Test
    void aMoveIsToldAtALookAtMost() {
        rig.look(TIME + 250);
        for (int i = 1; i < 250; i++) {
            rig.demand = i;
            rig.look(TIME + 250 + i);
        }

        assertThat(rig.said).hasSize(1);
    }

    @Test
    void aMoveChangesNeitherTheEndNorTheLevel() {
        rig.demand = 10;
        rig.look(TIME + 1000);

        assertThat(rig.last().until()).isEqualTo(TIME + 300_000);
        assertThat(rig.last().ttlMillis()).isEqualTo(299_000);
        assertThat(rig.last().level()).isEqualTo(1);
    }

    @Test
    void aRatioStaysWhileNothingIsKnownOfDemand() {
        rig.demand = Double.NaN;
        rig.look(TIME + 1000);

        assertThat(rig.said).hasSize(1);
    }

    @Test
    void aRenewalTellsTheNewestRatioHoweverLittleItMoved() {
        rig.demand = 1 / (1 - 0.52);
        rig.look(TIME + 1000);
        assertThat(rig.said).hasSize(1);

        rig.look(TIME + 200_000);

        assertThat(rig.counts.of(Count.RENEWED)).isEqualTo(1);
        assertThat(rig.last().ratio()).isEqualTo(0.52, NEARLY);
    }

    @Test
    void demandBetweenReleaseAndThresholdShedsNothingAndKeepsTheLock() {
        rig.demand = 0.6;
        rig.look(TIME + 1000);

        assertThat(rig.last().mode()).isEqualTo(Mode.SHED);
        assertThat(rig.last().ratio()).isZero();
    }

    @Test
    void aReleaseShedsNothing() {
        rig.demand = 0.4;
        rig.look(TIME + 1000);

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
        assertThat(rig.last().ratio()).isZero();
    }

    @Test
    void aLockThatBecomesOneThatShedsStartsWithTheRatioOfItsEvidence() {
        LeaseRig blocks = new LeaseRig(policies(P.formatted(""))).over("acme", 120, TIME);
        assertThat(blocks.last().ratio()).isZero();
        blocks.policies(shedding());

        blocks.look(TIME + 1000);

        assertThat(blocks.last().mode()).isEqualTo(Mode.SHED);
        assertThat(blocks.last().ratio()).isEqualTo(0.5, NEARLY);
    }

    @Test
    void aLockThatShedsNoLongerHasNoRatio() {
        rig.policies(policies(P.formatted(",'mode':'throttle','rate':'1/s'")));
        rig.demand = 4;

        rig.look(TIME + 1000);

        assertThat(rig.last().mode()).isEqualTo(Mode.THROTTLE);
        assertThat(rig.last().ratio()).isZero();
    }
}
