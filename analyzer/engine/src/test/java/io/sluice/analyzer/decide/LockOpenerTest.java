package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.above;
import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.TestPolicies.set;
import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What opens a lock, what does not, and as what it opens. */
class LockOpenerTest {
    private static final String P = "{'name':'p','per':['caller'],'lock':{'when':[{'above':60}]%s}}";

    @ParameterizedTest
    @CsvSource({"29999, 1, 0", "30000, 1, 0", "30001, 0, 1"})
    void nothingOpensOnTheDistantPast(long age, int opened, int silenced) {
        Rig rig = Rig.with(above(60));
        for (int i = 0; i < 61; i++) {
            rig.meter.add(TestEvents.admitted("acme", TIME - age));
        }

        rig.passed(TIME);

        assertThat(rig.counts.of(Count.OPENED)).isEqualTo(opened);
        assertThat(rig.counts.of(Count.SILENCED)).isEqualTo(silenced);
    }

    @Test
    void nothingOpensWhileTheTimeIsNotKnown() {
        Rig rig = Rig.with(above(60));
        for (int i = 0; i < 61; i++) {
            rig.meter.add(TestEvents.admitted("acme", TIME));
        }

        rig.passed(BrokerClock.UNKNOWN, TIME);

        assertThat(rig.said).isEmpty();
        assertThat(rig.counts.of(Count.SILENCED)).isEqualTo(1);
    }

    @Test
    void whoIsStillOverWhenTheBacklogIsReadIsLockedThen() {
        Rig rig = Rig.with(above(60));
        long now = TIME + 300_000;
        for (long time = TIME; time < now - 40_000; time += 500) {
            rig.meter.add(TestEvents.admitted("acme", time));
            rig.passed(now, time);
        }
        assertThat(rig.said).isEmpty();
        for (long time = now - 40_000; time < now; time += 500) {
            rig.meter.add(TestEvents.admitted("acme", time));
            rig.passed(now, time);
        }

        assertThat(rig.said).hasSize(1);
        assertThat(rig.last().evidence().crossed()).isEqualTo(now - 30_000);
    }

    @Test
    void anAllowedCallerIsNotLocked() {
        Rig rig = Rig.with(set("{'allow':[{'caller':'acme'}],'policies':[" + P.formatted("") + "]}"));

        rig.admit("acme", 100, TIME);

        assertThat(rig.said).isEmpty();
    }

    @Test
    void aClaimedCallerIsNotLocked() {
        Rig rig = Rig.with(above(60));
        for (int i = 0; i < 100; i++) {
            rig.event(TestEvents.claimed("acme", TIME));
        }

        assertThat(rig.said).isEmpty();
    }

    @Test
    void rejectedRequestsLockNobody() {
        Rig rig = Rig.with(above(60)).reject("acme", 1000, TIME);

        assertThat(rig.said).isEmpty();
    }

    @Test
    void theFirstOverrideThatMatchesTellsTheThreshold() {
        Rig rig = Rig.with(policies("{'name':'p','per':['caller'],'lock':{'when':[{'above':60}]},"
                + "'overrides':[{'match':{'caller':'big-*'},'lock':{'when':[{'above':100}]}}]}"));

        rig.admit("big-acme", 100, TIME).admit("small", 61, TIME).admit("big-emca", 101, TIME);

        assertThat(rig.said).extracting(it -> it.subject().get(0)).containsExactly("small", "big-emca");
    }

    @Test
    void aThrottleHasItsRate() {
        Rig rig = Rig.with(policies(P.formatted(",'mode':'throttle','rate':'50/s'")))
                .admit("acme", 61, TIME);

        assertThat(rig.last().mode()).isEqualTo(Mode.THROTTLE);
        assertThat(rig.last().rate()).isEqualTo(50);
    }

    @Test
    void aShadowedPolicyOnlyReports() {
        Rig rig = Rig.with(policies(P.formatted(",'shadow':true"))).admit("acme", 61, TIME);

        assertThat(rig.last().mode()).isEqualTo(Mode.BLOCK);
        assertThat(rig.last().shadow()).isTrue();
        assertThat(rig.last().guarded()).isFalse();
    }

    @Test
    void aSetThatDoesNotEnforceOnlyReports() {
        Rig rig = Rig.with(set("{'enforce':false,'policies':[" + P.formatted("") + "]}"))
                .admit("acme", 61, TIME);

        assertThat(rig.last().shadow()).isTrue();
    }

    @Test
    void aShadowLockOfACallerThatGoesOnIsRenewed() {
        Rig rig = Rig.with(policies(P.formatted(",'mode':'shadow','for':'1m'")));

        rig.until(TIME, TIME + 200_000, "acme", 2, 0);

        assertThat(rig.counts.of(Count.OPENED)).isEqualTo(1);
        assertThat(rig.counts.of(Count.RENEWED)).isGreaterThan(1);
        assertThat(rig.last().mode()).isEqualTo(Mode.SHADOW);
    }

    @Test
    void aPartialOfAnUnknownPolicyIsCounted() {
        Rig rig = Rig.with(above(60));

        rig.task.partial(new UsageKey("p@0000000000000000", List.of("acme")), partial(1, 100), TIME);

        assertThat(rig.said).isEmpty();
        assertThat(rig.counts.of(Count.UNKNOWN_REVISION)).isEqualTo(1);
    }

    @Test
    void recordsOfAnEarlierLifeOfAMeterAreDropped() {
        Rig rig = Rig.with(above(60));
        UsageKey key = new UsageKey(above(60).policies().get(0).revision(), List.of("acme"));
        rig.task.partial(key, partial(7, 1), TIME);

        rig.task.partial(key, partial(6, 100), TIME);
        rig.task.position(new MeterPosition(TIME, new Origin(5, 6), 0));

        assertThat(rig.said).isEmpty();
        assertThat(rig.counts.of(Count.OLDER_EPOCH)).isEqualTo(2);
    }

    @Test
    void theNewestLifeOfAMeterIsRememberedAcrossALifeOfTheTask() {
        Rig first = Rig.with(above(60));
        UsageKey key = new UsageKey(above(60).policies().get(0).revision(), List.of("acme"));
        first.task.partial(key, partial(7, 1), TIME);
        first.task.flush();
        Rig second = new Rig(first.state, first.windows);
        second.policies(above(60));

        second.task.partial(key, partial(6, 100), TIME);

        assertThat(second.counts.of(Count.OLDER_EPOCH)).isEqualTo(1);
    }

    @Test
    void whatACrashTookIsCountedAgainAlsoOfAnEarlierLifeOfItsMeter() {
        Rig crashed = Rig.with(above(60));
        UsageKey key = new UsageKey(above(60).policies().get(0).revision(), List.of("acme"));
        crashed.task.partial(key, partial(6, 59), TIME);
        crashed.task.partial(key, partial(7, 1), TIME);
        Rig next = new Rig(crashed.state, new InMemoryWindowStore());
        next.policies(above(60));

        next.task.partial(key, partial(6, 59), TIME);
        next.task.partial(key, partial(7, 2), TIME);

        assertThat(next.counts.of(Count.OLDER_EPOCH)).isZero();
        assertThat(next.said).hasSize(1);
    }

    private static UsagePartial partial(long epoch, long admitted) {
        return new UsagePartial(false, TIME / 1000, admitted, admitted, 0, TIME, TIME, new Origin(5, epoch), 0);
    }

    @Test
    void whoTakesMoreThanItsShareIsLocked() {
        Rig rig = Rig.with(policies("{'name':'s','per':['caller'],'window':'10s','panes':10,"
                + "'lock':{'when':[{'share':'50%','beyond':50}],'for':'20s'}}"));
        for (long now = TIME; now < TIME + 15_000; now += 250) {
            rig.meter.add(TestEvents.admitted("a", now));
            rig.meter.add(TestEvents.admitted("b", now));
            rig.meter.add(TestEvents.admitted("acme", now));
            rig.passed(now);
        }
        assertThat(rig.said).isEmpty();

        for (long now = TIME + 15_000; now < TIME + 25_000; now += 250) {
            rig.meter.add(TestEvents.admitted("a", now));
            rig.meter.add(TestEvents.admitted("b", now));
            for (int i = 0; i < 5; i++) {
                rig.meter.add(
                        rig.task.locks() > 0 ? TestEvents.rejected("acme", now, 1) : TestEvents.admitted("acme", now));
            }
            rig.passed(now);
        }
        assertThat(rig.said).singleElement().satisfies(it -> {
            assertThat(it.subject()).containsExactly("acme");
            assertThat(it.evidence().observed()).isGreaterThan(0.5);
            assertThat(it.evidence().load()).isGreaterThan(50);
        });
        for (long now = TIME + 25_000; now < TIME + 40_000; now += 250) {
            rig.meter.add(TestEvents.admitted("a", now));
            rig.meter.add(TestEvents.admitted("b", now));
            rig.passed(now);
        }

        assertThat(rig.last().mode()).isEqualTo(Mode.OPEN);
    }
}
