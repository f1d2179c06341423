package io.sluice.analyzer.recount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecountTest {
    private static final long MINUTE = 60_000;
    // not at a pane's border
    private static final long CROSSED = 1_763_700_000_123L;

    private final List<RequestEvent> log = new ArrayList<>();

    private static PolicySet policy(String when, String more) {
        return TestPolicies.policies(
                "{'name':'p','per':['caller'],'window':'1m'" + more + ",'lock':{'when':[" + when + "]}}");
    }

    private static Evidence evidence(PolicySet set, String detector, double observed, double threshold, double sum) {
        Policy policy = set.policies().get(0);
        return new Evidence(
                detector,
                observed,
                threshold,
                policy.measure().name(),
                MINUTE,
                sum,
                0,
                CROSSED,
                CROSSED + 70,
                policy.revision());
    }

    private static Evidence above(PolicySet set, double threshold, double sum) {
        return evidence(set, "above", sum, threshold, sum);
    }

    private void requests(String caller, int many, long first, long step) {
        for (int i = 0; i < many; i++) {
            log.add(TestEvents.admitted(caller, first + i * step));
        }
    }

    private Verdict verdict(PolicySet set, Evidence evidence) throws NotRecountable {
        Recount recount = Recount.of(set, set.policies().get(0), List.of("acme"), evidence);
        for (RequestEvent event : log) {
            recount.add(event);
        }
        return recount.verdict();
    }

    @ParameterizedTest
    @CsvSource({"99, false", "100, false", "101, true"})
    void evidenceHoldsWhenTheExactSumIsOver(int requests, boolean holds) throws NotRecountable {
        requests("acme", requests, CROSSED - requests + 1, 1);

        Verdict verdict = verdict(TestPolicies.above(100), above(TestPolicies.above(100), 100, 101));

        assertThat(verdict.holds()).isEqualTo(holds);
        assertThat(verdict.sum()).isEqualTo(requests);
    }

    @ParameterizedTest
    @CsvSource({"-60001, 1", "-60000, 1", "-59999, 2", "0, 2", "1, 1"})
    void theWindowIsOpenAtItsBeginningAndClosedAtItsEnd(long offset, int counted) throws NotRecountable {
        requests("acme", 1, CROSSED - 1, 1);
        requests("acme", 1, CROSSED + offset, 1);

        PolicySet set = TestPolicies.above(100);

        assertThat(verdict(set, above(set, 100, 101)).sum()).isEqualTo(counted);
    }

    @Test
    void theOrderInWhichPartitionsAreReadMakesNoDifference() throws NotRecountable {
        requests("acme", 150, CROSSED - 149, 1);
        requests("bolt", 150, CROSSED - 149, 1);
        Collections.shuffle(log, new Random(7));
        PolicySet set = TestPolicies.above(100);

        Verdict verdict = verdict(set, above(set, 100, 101));

        assertThat(verdict.holds()).isTrue();
        assertThat(verdict.sum()).isEqualTo(150);
        assertThat(verdict.excess()).isZero();
    }

    @Test
    void rejectedAndClaimedRequestsAreNoEvidence() throws NotRecountable {
        requests("acme", 60, CROSSED - 1000, 1);
        for (int i = 0; i < 60; i++) {
            log.add(TestEvents.rejected("acme", CROSSED - i, 1));
            log.add(TestEvents.claimed("acme", CROSSED - i));
        }
        PolicySet set = TestPolicies.above(100);

        assertThat(verdict(set, above(set, 100, 101)).sum()).isEqualTo(60);
    }

    @Test
    void aSumThatWasCountedTwiceIsToldAndHoldsWhereTheSubjectWasOverAllTheSame() throws NotRecountable {
        requests("acme", 110, CROSSED - 109, 1);
        PolicySet set = TestPolicies.above(100);

        Verdict verdict = verdict(set, above(set, 100, 130));

        assertThat(verdict.holds()).isTrue();
        assertThat(verdict.excess()).isEqualTo(20);
    }

    @Test
    void withoutARequestTheEvidenceDoesNotHold() throws NotRecountable {
        requests("bolt", 110, CROSSED - 109, 1);
        PolicySet set = TestPolicies.above(100);

        Verdict verdict = verdict(set, above(set, 100, 101));

        assertThat(verdict.holds()).isFalse();
        assertThat(verdict.sum()).isZero();
    }

    @Test
    void theThresholdOfThenCountsNotTodays() throws NotRecountable {
        requests("acme", 110, CROSSED - 109, 1);

        assertThat(verdict(TestPolicies.above(500), above(TestPolicies.above(100), 100, 101))
                        .holds())
                .isTrue();
    }

    @Test
    void serviceTimeIsRecountedInMilliseconds() throws NotRecountable {
        log.add(TestEvents.costing("acme", CROSSED - 1, 0, 1_000_500));
        log.add(TestEvents.costing("acme", CROSSED, 0, 500));
        PolicySet set = policy("{'above':1000}", ",'measure':'millis'");

        Verdict verdict = verdict(set, above(set, 1000, 1001));

        assertThat(verdict.holds()).isTrue();
        assertThat(verdict.sum()).isEqualTo(1001);
    }

    @Test
    void differentValuesAreCountedExactlyAndAnEstimateIsNoExcess() throws NotRecountable {
        for (int i = 0; i < 1000; i++) {
            log.add(TestEvents.admitted("acme", "service-" + i % 990, CROSSED - i));
        }
        PolicySet set = policy("{'above':980}", ",'measure':{'distinct':'service'}");

        Verdict verdict = verdict(set, above(set, 980, 1002));

        assertThat(verdict.holds()).isTrue();
        assertThat(verdict.sum()).isEqualTo(990);
        assertThat(verdict.excess()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"59, false", "60, false", "61, true"})
    void aShareIsRecountedFromTheWholeGroup(int requests, boolean holds) throws NotRecountable {
        PolicySet set = policy("{'share':'60%','of':[],'beyond':50,'others':5}", "");
        requests("acme", requests, CROSSED - requests + 1, 1);
        requests("bolt", 100 - requests, CROSSED - 1000, 1);

        Verdict verdict = verdict(set, evidence(set, "share", 0.61, 0.6, requests));

        assertThat(verdict.holds()).isEqualTo(holds);
        assertThat(verdict.observed()).isEqualTo(requests / 100.0);
        assertThat(verdict.load()).isEqualTo(100);
    }

    @Test
    void aShareThatAnOutsiderDilutedOnlyAfterTheCountStillHoldsWithinThePane() throws NotRecountable {
        PolicySet set = policy("{'share':'60%','of':[],'beyond':50,'others':5}", "");
        requests("bolt", 30, CROSSED - 5000, 1);
        requests("acme", 69, CROSSED - 500, 1);
        requests("bolt", 60, CROSSED - 100, 1);
        requests("acme", 1, CROSSED, 1);

        Verdict verdict = verdict(set, evidence(set, "share", 0.69, 0.6, 69));

        assertThat(verdict.observed()).isLessThan(0.6);
        assertThat(verdict.holds()).isTrue();
    }

    @Test
    void onlyTheSubjectsOwnGroupIsItsLoad() throws NotRecountable {
        PolicySet set = TestPolicies.policies("{'name':'p','per':['caller','service'],'window':'1m',"
                + "'lock':{'when':[{'share':'60%','of':['service'],'beyond':50,'others':5}]}}");
        requests("acme", 70, CROSSED - 69, 1);
        requests("bolt", 30, CROSSED - 1000, 1);
        for (int i = 0; i < 500; i++) {
            log.add(TestEvents.admitted("bolt", "billing", CROSSED - 1000));
        }
        Policy policy = set.policies().get(0);
        Recount recount = Recount.of(set, policy, List.of("acme", "orders"), evidence(set, "share", 0.7, 0.6, 70));
        for (RequestEvent event : log) {
            recount.add(event);
        }

        assertThat(recount.verdict().observed()).isEqualTo(0.7);
    }

    @ParameterizedTest
    @CsvSource({"30, 0.7", "200, 0.7", "300, 0"})
    void twoSharesOfThatSize_theOneThatHoldsIsTheEvidence(int others, double share) throws NotRecountable {
        // of all services acme has less than 60 %, and of its own more; with 300 others there, neither
        PolicySet set = TestPolicies.policies("{'name':'p','per':['caller','service'],'window':'1m',"
                + "'lock':{'when':[{'share':'60%','of':[],'beyond':50,'others':5},"
                + "{'share':'60%','of':['service'],'beyond':50,'others':5}]}}");
        requests("acme", 70, CROSSED - 69, 1);
        requests("bolt", share == 0 ? others : 30, CROSSED - 1000, 1);
        for (int i = 0; i < others; i++) {
            log.add(TestEvents.admitted("bolt", "billing", CROSSED - 1000));
        }
        Policy policy = set.policies().get(0);
        Recount recount = Recount.of(set, policy, List.of("acme", "orders"), evidence(set, "share", 0.7, 0.6, 70));
        for (RequestEvent event : log) {
            recount.add(event);
        }

        assertThat(recount.verdict().holds()).isEqualTo(share > 0);
        if (share > 0) {
            assertThat(recount.verdict().observed()).isEqualTo(share);
        }
    }

    @Test
    void whetherTheOthersWereSlowIsBelieved() throws NotRecountable {
        PolicySet set = policy("{'share':'60%','of':[],'beyond':50,'others':5,'whenOthersSlow':1.5}", "");
        requests("acme", 70, CROSSED - 69, 1);
        requests("bolt", 30, CROSSED - 1000, 1);

        Verdict verdict = verdict(set, evidence(set, "share", 0.7, 0.6, 70));

        assertThat(verdict.holds()).isTrue();
        assertThat(verdict.believed()).isEqualTo(Verdict.Believed.SLOWNESS);
    }

    @ParameterizedTest
    @CsvSource({"499, false", "500, false", "501, true"})
    void aSpikesSumIsRecountedAgainstTheBaselineOfTheEvidence(int requests, boolean holds) throws NotRecountable {
        PolicySet set = policy("{'spike':5,'baseline':'1h','floor':10}", "");
        requests("acme", requests, CROSSED - requests + 1, 1);

        // 600 requests were six times a baseline of 100
        Verdict verdict = verdict(set, evidence(set, "spike", 6, 5, 600));

        assertThat(verdict.holds()).isEqualTo(holds);
        assertThat(verdict.observed()).isCloseTo(requests / 100.0, within(1e-9));
        assertThat(verdict.believed()).isEqualTo(Verdict.Believed.BASELINE);
    }

    @Test
    void aDebtIsRecountedFromAsFarBackAsALockCanLast() throws NotRecountable {
        PolicySet set = TestPolicies.policies("{'name':'p','per':['caller'],'window':'1m',"
                + "'lock':{'when':[{'above':60}],'for':'debt','upTo':'10m'}}");
        // a request a second is what drains; two of them leave one behind
        requests("acme", 300, CROSSED - 299 * 500L, 500);

        Verdict verdict = verdict(set, evidence(set, "debt", 140, 60, 120));

        assertThat(verdict.from()).isEqualTo(CROSSED - 10 * MINUTE);
        assertThat(verdict.observed()).isCloseTo(150, within(1.0));
        assertThat(verdict.holds()).isTrue();
    }

    @Test
    void aDebtThatMayHaveBegunBeforeThatCantBeRecounted() {
        PolicySet set = TestPolicies.policies("{'name':'p','per':['caller'],'window':'1m',"
                + "'lock':{'when':[{'above':60}],'for':'debt','upTo':'10m'}}");
        requests("acme", 60, CROSSED - 59 * 500L, 500);

        assertThatThrownBy(() -> verdict(set, evidence(set, "debt", 61, 60, 120)))
                .isInstanceOf(NotRecountable.class)
                .hasMessageStartingWith("the debt may have begun before 20")
                .hasMessageEndingWith("Z, as far back as its lock can last: can't be recounted");
    }

    @Test
    void aPolicyThatCountsSomethingElseByNowCantBeRecounted() {
        PolicySet then = policy("{'above':100}", "");
        PolicySet now = policy("{'above':100}", ",'match':{'method':'GET'}");

        assertThatThrownBy(() -> verdict(now, above(then, 100, 101)))
                .isInstanceOf(NotRecountable.class)
                .hasMessageContaining("the policy has changed since")
                .hasMessageContaining(then.policies().get(0).revision());
    }

    @ParameterizedTest
    @CsvSource({
        "share, no longer has that share",
        "debt, no longer counts a debt",
        "spike, has no baseline",
        "hunch, no detector of that name"
    })
    void whatTheRuleOrTheEvidenceLacksIsSaid(String detector, String said) {
        PolicySet set = TestPolicies.above(100);

        assertThatThrownBy(() -> verdict(set, evidence(set, detector, 0, 0.4, 0)))
                .isInstanceOf(NotRecountable.class)
                .hasMessageContaining(said);
    }

    @Test
    void whatTodaysAllowListLetsPassLeavesItOpen() {
        PolicySet set = TestPolicies.set("{'allow':[{'ip':'203.0.113.0/24'}],'policies':["
                + "{'name':'p','per':['caller'],'window':'1m','lock':{'when':[{'above':100}]}}]}");
        requests("acme", 110, CROSSED - 109, 1);

        assertThatThrownBy(() -> verdict(set, above(set, 100, 101)))
                .isInstanceOf(NotRecountable.class)
                .hasMessageContaining("today's allow list lets 110 of its requests pass");
    }

    @ParameterizedTest
    @CsvSource({"100, false", "101, true"})
    void whatIsLeftOfALogIsEnoughWhereItIsOverAlready(int left, boolean enough) throws NotRecountable {
        PolicySet set = TestPolicies.above(100);
        Recount recount = Recount.of(set, set.policies().get(0), List.of("acme"), above(set, 100, 120));
        recount.incomplete("the log is gone");
        for (int i = 0; i < left; i++) {
            recount.add(TestEvents.admitted("acme", CROSSED));
        }

        if (enough) {
            assertThat(recount.verdict().holds()).isTrue();
            assertThat(recount.verdict().complete()).isFalse();
            assertThat(recount.verdict().excess()).isZero();
        } else {
            assertThatThrownBy(recount::verdict).hasMessage("the log is gone");
        }
    }

    @Test
    void ofAShareNothingCanBeSaidWhenSomeOfTheLoadIsGone() throws NotRecountable {
        PolicySet set = policy("{'share':'60%','of':[],'beyond':50,'others':5}", "");
        Recount recount = Recount.of(set, set.policies().get(0), List.of("acme"), evidence(set, "share", 0.7, 0.6, 70));
        recount.incomplete("the log is gone");
        for (int i = 0; i < 70; i++) {
            recount.add(TestEvents.admitted("acme", CROSSED));
            recount.add(TestEvents.admitted(i < 30 ? "bolt" : "acme", CROSSED - 1));
        }

        assertThatThrownBy(recount::verdict).hasMessage("the log is gone");
    }

    @Test
    void tooManyRequestsForMemoryAreRefused() throws NotRecountable {
        PolicySet set = TestPolicies.above(100);
        Recount recount = Recount.of(set, set.policies().get(0), List.of("acme"), above(set, 100, 101));
        RequestEvent event = TestEvents.admitted("acme", CROSSED);
        for (int i = 0; i < Recount.MOST_EVENTS; i++) {
            recount.add(event);
        }

        assertThatThrownBy(() -> recount.add(event))
                .isInstanceOf(NotRecountable.class)
                .hasMessageContaining("more than 1000000 requests");
    }
}
