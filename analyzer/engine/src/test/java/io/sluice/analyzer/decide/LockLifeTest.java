package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.above;
import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestEvents;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lock from its opening to its end. */
class LockLifeTest {
    private static final String FOR = "{'name':'p','per':['caller'],'lock':{'when':[{'above':60}],'for':'%s'}}";

    @ParameterizedTest
    @CsvSource({"59, 0", "60, 0", "61, 1"})
    void aCallerIsLockedAboveTheThreshold(int requests, int locks) {
        Rig rig = Rig.with(above(60)).admit("acme", requests, TIME);

        assertThat(rig.said).hasSize(locks);
        assertThat(rig.task.locks()).isEqualTo(locks);
    }

    @Test
    void aLockTellsWhoAndWhy() {
        Rig rig = Rig.with(above(60)).admit("acme", 61, TIME);

        GateLock lock = rig.last();
        assertThat(lock.policy()).isEqualTo("p");
        assertThat(lock.subject()).containsExactly("acme");
        assertThat(lock.mode()).isEqualTo(Mode.BLOCK);
        assertThat(lock.evidence().sum()).isEqualTo(61);
        assertThat(lock.evidence().crossed()).isEqualTo(TIME);
        assertThat(lock.version().task()).isEqualTo("decide-0");
    }

    @Test
    void millisecondsAreJudgedAsMilliseconds() {
        Rig rig =
                Rig.with(policies("{'name':'p','per':['caller'],'measure':'millis','lock':{'when':[{'above':100}]}}"));

        rig.event(TestEvents.costing("acme", TIME, 0, 100_000));
        assertThat(rig.said).isEmpty();
        rig.event(TestEvents.costing("acme", TIME, 0, 1));

        assertThat(rig.said).singleElement().satisfies(it -> {
            assertThat(it.evidence().sum()).isEqualTo(100.001);
            assertThat(it.evidence().measure()).isEqualTo("millis");
        });
    }

    @Test
    void whoIsLockedIsNotLockedAgain() {
        Rig rig = Rig.with(above(60)).admit("acme", 61, TIME).admit("acme", 100, TIME + 100);

        assertThat(rig.said).hasSize(1);
    }

    @Test
    void aLockEndsByItselfAndItsRecordIsTidiedUp() {
        Rig rig = Rig.with(policies(FOR.formatted("10s"))).admit("acme", 61, TIME);

        // the meter has stopped, so nothing is known that could renew the lock
        rig.passed(TIME + 9_749, TIME);
        assertThat(rig.task.locks()).isEqualTo(1);
        rig.passed(TIME + 10_000, TIME);

        assertThat(rig.task.locks()).isZero();
        assertThat(rig.counts.of(Count.EXPIRED)).isEqualTo(1);
        assertThat(rig.tombstones).containsExactly(List.of("acme"));
        assertThat(rig.said).hasSize(1);
    }

    @Test
    void aLockOutlivesNoEndWhenNothingIsKnownOfDemand() {
        Rig rig = Rig.with(above(60)).admit("acme", 61, TIME);

        for (long now = TIME; now <= TIME + 301_000; now += 250) {
            rig.task.tick(now);
        }

        assertThat(rig.counts.of(Count.EXPIRED)).isEqualTo(1);
        assertThat(rig.counts.of(Count.RELEASED)).isZero();
    }

    @Test
    void demandThatStaysHighRenewsALockInItsLastThird() {
        Rig rig = Rig.with(above(60)).admit("acme", 61, TIME);

        rig.until(TIME + 1000, TIME + 199_000, "acme", 0, 2);
        assertThat(rig.counts.of(Count.RENEWED)).isZero();
        rig.until(TIME + 200_000, TIME + 201_000, "acme", 0, 2);

        assertThat(rig.counts.of(Count.RENEWED)).isEqualTo(1);
        assertThat(rig.last().until()).isEqualTo(TIME + 500_000);
        assertThat(rig.last().since()).isEqualTo(TIME);
        assertThat(rig.last().evidence()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"48, 0", "49, 1"})
    void eightyPercentOfTheThresholdRenew(int offered, int renewals) {
        Rig rig = Rig.with(above(60)).admit("acme", 61, TIME);
        rig.until(TIME + 1000, TIME + 180_000, "acme", 0, 1);

        rig.until(TIME + 180_250, TIME + 199_750, "acme", 0, 0);
        // 40 of them are in the window already
        rig.reject("acme", offered - 40, TIME + 199_999);
        rig.until(TIME + 200_000, TIME + 200_250, "acme", 0, 0);

        assertThat(rig.counts.of(Count.RENEWED)).isEqualTo(renewals);
    }

    @Test
    void demandThatFallsOpensTheGateBeforeItsTime() {
        Rig rig = Rig.with(above(60)).admit("acme", 61, TIME);

        rig.until(TIME + 250, TIME + 59_750, "acme", 0, 0);
        assertThat(rig.counts.of(Count.RELEASED)).isZero();
        rig.until(TIME + 60_000, TIME + 61_000, "acme", 0, 0);

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
        assertThat(rig.counts.of(Count.RELEASED)).isEqualTo(1);
        assertThat(rig.task.locks()).isZero();
    }

    @Test
    void demandBetweenReleaseAndThresholdKeepsTheLockAndDoesNotRenewIt() {
        Rig rig = Rig.with(policies(FOR.formatted("2m"))).admit("acme", 61, TIME);

        // 31 to 40 a minute: over half of 60, under 80 % of it
        for (long now = TIME + 250; now <= TIME + 121_000; now += 250) {
            if ((now - TIME) % 1750 == 0) {
                rig.reject("acme", 1, now);
            }
            rig.passed(now);
        }

        assertThat(rig.counts.of(Count.RELEASED)).isZero();
        assertThat(rig.counts.of(Count.RENEWED)).isZero();
        assertThat(rig.counts.of(Count.EXPIRED)).isEqualTo(1);
    }

    @Test
    void aReleasesRecordIsTidiedUpAfterTheLongestLease() {
        Rig rig = Rig.with(above(60)).admit("acme", 61, TIME);
        rig.until(TIME + 250, TIME + 61_000, "acme", 0, 0);
        long released = rig.last().until();

        assertThat(rig.task.nextDue(released)).isEqualTo(released + 600_000);
        rig.passed(released + 599_750);
        assertThat(rig.tombstones).isEmpty();
        rig.passed(released + 600_000);

        assertThat(rig.tombstones).containsExactly(List.of("acme"));
        assertThat(rig.task.nextDue(released + 600_000)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void nextDue_severalReleases_isThatOfTheFirstThatIsLeft() {
        LeaseRig rig = new LeaseRig(above(60));
        for (int i = 0; i < 3; i++) {
            long time = TIME + i * 10_000L;
            rig.demand = 1;
            rig.over("caller-" + i, 61, time).look(time);
            rig.demand = 0;
            rig.look(time + 1_000);
        }

        assertThat(rig.leases.nextDue(TIME + 22_000)).isEqualTo(TIME + 601_000);
        rig.demand = 1;
        rig.over("caller-0", 61, TIME + 30_000).look(TIME + 30_000);
        assertThat(rig.leases.nextDue(TIME + 30_100)).isEqualTo(TIME + 30_350);
        rig.demand = 0;
        rig.look(TIME + 31_000);
        assertThat(rig.leases.nextDue(TIME + 31_000)).isEqualTo(TIME + 611_000);
        rig.look(TIME + 611_000);
        assertThat(rig.leases.nextDue(TIME + 611_000)).isEqualTo(TIME + 621_000);
        rig.look(TIME + 700_000);
        assertThat(rig.leases.nextDue(TIME + 700_000)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whoIsOverAgainAfterAReleaseIsLockedAgain() {
        Rig rig = Rig.with(above(60)).admit("acme", 61, TIME);
        rig.until(TIME + 250, TIME + 61_000, "acme", 0, 0);

        rig.admit("acme", 61, TIME + 62_000);

        assertThat(rig.last().mode()).isEqualTo(Mode.BLOCK);
        assertThat(rig.last().since()).isEqualTo(TIME + 62_000);
        assertThat(rig.last().version().seq()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"60, 0", "66, 1"})
    void demandAroundTheThresholdDoesNotFlap(int aMinute, int opened) {
        // steady demand for ten minutes: never over, or locked once and renewed
        Rig rig = Rig.with(above(60));
        for (long now = TIME; now < TIME + 600_000; now += 250) {
            if ((now - TIME) / 250 * aMinute / 240 > (now - 250 - TIME) / 250 * aMinute / 240) {
                if (rig.task.locks() > 0) {
                    rig.reject("acme", 1, now);
                } else {
                    rig.admit("acme", 1, now);
                }
            }
            rig.passed(now);
        }

        assertThat(rig.counts.of(Count.OPENED)).isEqualTo(opened);
        assertThat(rig.counts.of(Count.RELEASED)).isZero();
    }

    @Test
    void aLockLongerThanTheLongestLeaseIsRewrittenInTime() {
        Rig rig = Rig.with(policies(FOR.formatted("30m"))).admit("acme", 61, TIME);

        rig.until(TIME + 1000, TIME + 1_500_000, "acme", 0, 1);

        for (int i = 1; i < rig.said.size(); i++) {
            GateLock before = rig.said.get(i - 1);
            GateLock lock = rig.said.get(i);
            assertThat(lock.ttlMillis()).isLessThanOrEqualTo(600_000);
            assertThat(lock.version().seq()).isGreaterThan(before.version().seq());
        }
        assertThat(rig.counts.of(Count.REWRITTEN)).isBetween(5L, 8L);
    }

    @Test
    void rejectedBytesAreOfferedAtTheMeanCostOfThoseAdmitted() {
        Rig rig = Rig.with(policies("{'name':'p','per':['caller'],'measure':'bytes','window':'10s','panes':10,"
                + "'lock':{'when':[{'above':1000}],'for':'1m'}}"));
        rig.event(TestEvents.costing("acme", TIME, 600, 0)).event(TestEvents.costing("acme", TIME, 600, 0));

        // a request a second at 600 bytes: 6,000 in the window
        rig.until(TIME + 1000, TIME + 45_000, "acme", 0, 1);

        assertThat(rig.counts.of(Count.RELEASED)).isZero();
        assertThat(rig.counts.of(Count.RENEWED)).isEqualTo(1);
    }

    @Test
    void aLockIsNotJudgedWhileAMeterLagsBehind() {
        Rig rig = Rig.with(above(60)).admit("acme", 61, TIME);

        for (long now = TIME; now <= TIME + 100_000; now += 250) {
            rig.passed(now, Math.min(now, TIME + 10_000));
        }

        assertThat(rig.counts.of(Count.RELEASED)).isZero();
        assertThat(rig.task.locks()).isEqualTo(1);
    }
}
