package io.sluice.analyzer.meter;

import static io.sluice.analyzer.TestEvents.admitted;
import static io.sluice.analyzer.TestEvents.claimed;
import static io.sluice.analyzer.TestEvents.costing;
import static io.sluice.analyzer.TestEvents.rejected;
import static io.sluice.analyzer.TestEvents.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeterTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final String SHARE =
            "{'name':'s','per':['caller','service'],'lock':{'when':[{'share':'40%','of':['service'],'beyond':100}]}}";

    private record Left(UsageKey key, UsagePartial partial) {}

    private final Meter meter = TestBudgets.meter(3, 4);
    private final List<Left> left = new ArrayList<>();

    private void count(PolicySet policies, RequestEvent... events) {
        meter.policies(policies);
        for (RequestEvent event : events) {
            meter.add(event);
        }
    }

    private List<Left> drained() {
        meter.drainAll((key, partial) -> left.add(new Left(key, partial)));
        return left;
    }

    private List<UsagePartial> partials(boolean load) {
        return drained().stream()
                .map(Left::partial)
                .filter(it -> it.load() == load)
                .toList();
    }

    @Test
    void eventsOfOneCallerAndPaneBecomeOnePartial() {
        meter.begin(7);

        count(
                TestPolicies.above(1000),
                admitted("acme", TIME + 5),
                admitted("acme", TIME),
                rejected("acme", TIME + 9, 4));

        assertThat(drained()).singleElement().satisfies(it -> {
            assertThat(it.key().subject()).containsExactly("acme");
            assertThat(it.key().policyRevision()).startsWith("p@");
            assertThat(it.partial())
                    .isEqualTo(new UsagePartial(false, TIME / 1000, 2, 2, 4, TIME, TIME + 9, new Origin(3, 7), 0));
        });
    }

    @Test
    void anotherPaneIsAnotherPartial() {
        count(TestPolicies.above(1000), admitted("acme", TIME + 999), admitted("acme", TIME + 1000));

        assertThat(drained())
                .extracting(it -> it.partial().pane())
                .containsExactlyInAnyOrder(TIME / 1000, TIME / 1000 + 1);
    }

    @Test
    void bytesAndMicrosecondsAreSummedWhereThePolicySaysSo() {
        count(
                TestPolicies.policies("{'name':'b','per':['caller'],'measure':'bytes','lock':{'when':[{'above':9}]}},"
                        + "{'name':'m','per':['caller'],'measure':'millis','lock':{'when':[{'above':9}]}}"),
                costing("acme", TIME, 500, 1234),
                costing("acme", TIME, 11, 1));

        assertThat(drained()).extracting(it -> it.partial().admitted()).containsExactlyInAnyOrder(511L, 1235L);
    }

    @Test
    void absurdSizesDoNotTurnASumNegative() {
        meter.policies(
                TestPolicies.policies("{'name':'b','per':['caller'],'measure':'bytes','lock':{'when':[{'above':9}]}}"));
        for (int i = 0; i < 8192; i++) {
            meter.add(costing("acme", TIME, 1L << 50, 0));
        }

        assertThat(partials(false))
                .singleElement()
                .extracting(UsagePartial::admitted)
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anEventThatLacksAnAttributeIsNotCounted() {
        count(
                TestPolicies.policies("{'name':'b','per':['labels.plan'],'lock':{'when':[{'above':9}]}}"),
                admitted("acme", TIME));

        assertThat(drained()).isEmpty();
    }

    @Test
    void aPolicyWithOnlyALimitIsNotMetered() {
        count(TestPolicies.policies("{'name':'b','per':['caller'],'limit':{'rate':'10/s'}}"), admitted("acme", TIME));

        assertThat(drained()).isEmpty();
    }

    @Test
    void aRejectedRequestMatchesByItsRequestAttributesAlone() {
        count(
                TestPolicies.policies(
                        "{'name':'b','match':{'status':401},'per':['caller'],'lock':{'when':[{'above':9}]}}"),
                withStatus("acme", TIME, 401, Outcome.ALLOWED),
                withStatus("acme", TIME, 200, Outcome.ALLOWED),
                withStatus("acme", TIME, 429, Outcome.LOCKED));

        assertThat(partials(false)).singleElement().satisfies(it -> {
            assertThat(it.admitted()).isEqualTo(1);
            assertThat(it.rejectedCount()).isEqualTo(1);
        });
    }

    @Test
    void anAllowedCallerCountsForTheLoadAlone() {
        PolicySet set = TestPolicies.set("{'allow':[{'caller':'internal-*'}],'policies':[" + SHARE + "]}");

        count(set, admitted("internal-batch", TIME), admitted("acme", TIME));

        assertThat(partials(false))
                .singleElement()
                .extracting(UsagePartial::admitted)
                .isEqualTo(1L);
        assertThat(left).filteredOn(it -> it.partial().load()).singleElement().satisfies(it -> {
            assertThat(it.partial().admitted()).isEqualTo(2);
            assertThat(it.key().subject()).containsExactly("service", "orders");
        });
    }

    @Test
    void anAllowanceThatHasEndedAllowsNobody() {
        PolicySet set = TestPolicies.set(
                "{'allow':[{'caller':'acme','until':'2025-01-01T00:00:00Z'}],'policies':[" + SHARE + "]}");

        count(set, admitted("acme", TIME));

        assertThat(partials(false)).hasSize(1);
    }

    @Test
    void aClaimedCallerCountsForTheLoadAlone() {
        count(TestPolicies.policies(SHARE), claimed("acme", TIME));

        assertThat(drained()).singleElement().matches(it -> it.partial().load());
    }

    @Test
    void aClaimedCallerStillCountsWhereNobodyIsAccusedByName() {
        count(TestPolicies.policies("{'name':'b','per':['ip'],'lock':{'when':[{'above':9}]}}"), claimed("acme", TIME));

        assertThat(partials(false)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 10})
    void aLightSumStaysAtATick(int events) {
        // a sixteenth of 640, for each of four partitions
        meter.policies(TestPolicies.above(640));
        for (int i = 0; i < events; i++) {
            meter.add(admitted("acme", TIME));
        }

        meter.drainHeavy((key, partial) -> left.add(new Left(key, partial)));

        assertThat(left).isEmpty();
    }

    @Test
    void aHeavySumLeavesAtATickOnce() {
        meter.policies(TestPolicies.above(640));
        for (int i = 0; i < 11; i++) {
            meter.add(admitted("acme", TIME));
        }

        meter.drainHeavy((key, partial) -> left.add(new Left(key, partial)));

        assertThat(drained())
                .singleElement()
                .extracting(it -> it.partial().admitted())
                .isEqualTo(11L);
    }

    @Test
    void theSmallestThresholdOfAllOverridesTellsWhatIsHeavy() {
        meter.policies(TestPolicies.policies("{'name':'p','per':['caller'],'lock':{'when':[{'above':640000}]},"
                + "'overrides':[{'match':{'caller':'small'},'lock':{'when':[{'above':64}]}}]}"));
        meter.add(admitted("acme", TIME));
        meter.add(admitted("acme", TIME));

        meter.drainHeavy((key, partial) -> left.add(new Left(key, partial)));

        assertThat(left).hasSize(1);
    }

    @Test
    void withAHeavySumAllLoadsLeave() {
        meter.policies(TestPolicies.policies(SHARE));
        meter.add(admitted("quiet", "billing", TIME));
        meter.add(admitted("acme", "orders", TIME));
        meter.add(admitted("acme", "orders", TIME));

        boolean loadsLeft = meter.drainHeavy((key, partial) -> left.add(new Left(key, partial)));

        assertThat(loadsLeft).isTrue();
        assertThat(left).extracting(it -> it.partial().load()).containsExactly(false, false, true, true);
    }

    @Test
    void aLoadThatHasLeftIsStartedAnewByTheSameSubject() {
        // quiet's sum stays when the loads leave with acme's
        meter.policies(
                TestPolicies.policies("{'name':'s','per':['caller'],'lock':{'when':[{'share':'50%','beyond':640}]}}"));
        meter.add(admitted("quiet", TIME));
        for (int i = 0; i < 6; i++) {
            meter.add(admitted("acme", TIME));
        }
        meter.drainHeavy((key, partial) -> left.add(new Left(key, partial)));
        left.clear();

        meter.add(admitted("quiet", TIME));

        assertThat(partials(true))
                .singleElement()
                .extracting(UsagePartial::admitted)
                .isEqualTo(1L);
        assertThat(left)
                .filteredOn(it -> !it.partial().load())
                .singleElement()
                .extracting(it -> it.partial().admitted())
                .isEqualTo(2L);
    }

    @Test
    void whatWasCountedBeforeAChangeLeavesUnderItsOldRevision() {
        count(TestPolicies.above(1000), admitted("acme", TIME));
        count(
                TestPolicies.policies("{'name':'p','per':['caller'],'window':'2m','lock':{'when':[{'above':9}]}}"),
                admitted("acme", TIME));

        assertThat(drained())
                .extracting(it -> it.key().policyRevision())
                .doesNotHaveDuplicates()
                .hasSize(2);
    }

    @Test
    void recordsOfOneLifeAreNumberedThrough() {
        meter.begin(7);
        count(TestPolicies.above(1000), admitted("acme", TIME), admitted("emca", TIME));

        assertThat(drained()).extracting(it -> it.partial().seq()).containsExactly(0L, 1L);
        assertThat(meter.position(TIME).seq()).isEqualTo(2);
        assertThat(meter.position(TIME).origin()).isEqualTo(new Origin(3, 7));
    }

    @Test
    void discardForgetsWhatHasNotLeft() {
        count(TestPolicies.above(1000), admitted("acme", TIME));

        meter.discard();

        assertThat(drained()).isEmpty();
        assertThat(meter.pending()).isZero();
    }

    @Test
    void pendingCountsEventsSinceTheLastDrain() {
        count(TestPolicies.above(1000), admitted("acme", TIME), admitted("acme", TIME));

        assertThat(meter.pending()).isEqualTo(2);
    }

    @Test
    void statusesAreCountedAsValues_ofEventsThatHaveOne() throws Exception {
        count(
                TestPolicies.policies("{'name':'p','per':['caller'],'measure':{'distinct':'status'},"
                        + "'lock':{'when':[{'above':9}]}}"),
                withStatus("acme", TIME, 200, Outcome.ALLOWED),
                withStatus("acme", TIME, 404, Outcome.ALLOWED),
                withStatus("acme", TIME, 404, Outcome.ALLOWED),
                withStatus("acme", TIME, 0, Outcome.ALLOWED),
                rejected("acme", TIME, 1));

        UsagePartial partial = partials(false).get(0);
        assertThat(left).hasSize(1);
        assertThat(partial.admittedCount()).isEqualTo(3);
        assertThat(partial.rejectedCount()).isEqualTo(1);
        assertThat(DistinctValues.decode(partial.values().bytes()).count()).isEqualTo(2);
    }

    @Test
    void valuesThatHaveLeftAtATick_doNotLeaveAgainBeforeTheNextCommit() throws Exception {
        PolicySet set = TestPolicies.policies("{'name':'p','per':['caller'],'measure':{'distinct':'service'},"
                + "'lock':{'when':[{'spike':10,'baseline':'2h','floor':1}]}}");
        meter.policies(set);
        List<UsagePartial> ticks = new ArrayList<>();
        List<UsagePartial> commits = new ArrayList<>();

        meter.add(admitted("acme", "orders", TIME));
        meter.drainHeavy((key, partial) -> ticks.add(partial));
        assertThat(ticks).hasSize(1);

        for (int i = 0; i < 5; i++) {
            meter.add(admitted("acme", "orders", TIME));
            meter.drainHeavy((key, partial) -> ticks.add(partial));
        }
        assertThat(ticks).hasSize(1);

        meter.add(admitted("acme", "search", TIME));
        meter.drainHeavy((key, partial) -> ticks.add(partial));
        assertThat(ticks).hasSize(2);
        assertThat(ticks.get(1).admittedCount()).isEqualTo(6);
        assertThat(DistinctValues.decode(ticks.get(1).values().bytes()).count()).isEqualTo(1);

        meter.drainAll((key, partial) -> commits.add(partial));
        assertThat(commits).isEmpty();

        meter.add(admitted("acme", "search", TIME));
        meter.drainAll((key, partial) -> commits.add(partial));
        assertThat(commits)
                .singleElement()
                .satisfies(it -> assertThat(
                                DistinctValues.decode(it.values().bytes()).count())
                        .isEqualTo(1));
    }
}
