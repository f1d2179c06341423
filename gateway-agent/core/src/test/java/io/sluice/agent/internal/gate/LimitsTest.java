package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class LimitsTest {
    private static String limit(String name, String rest) {
        return "{\"name\":\"" + name + "\",\"per\":[\"caller\"],\"limit\":{" + rest + "}}";
    }

    private final GateHarness gates = new GateHarness().fresh();

    private int allowed(String caller, int of) {
        return allowed(gates, caller, of);
    }

    private static int allowed(GateHarness gates, String caller, int of) {
        int allowed = 0;
        for (int i = 0; i < of; i++) {
            allowed += gates.allows(caller) ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void aCallerIsAllowedItsBurst() {
        gates.policies(limit("plans", "\"rate\":\"10/s\",\"burst\":3"));
        assertThat(allowed("acme", 10)).isEqualTo(3);
    }

    @Test
    void callersHaveTheirOwnLimits() {
        gates.policies(limit("plans", "\"rate\":\"10/s\",\"burst\":3"));
        allowed("acme", 10);
        assertThat(allowed("bolt", 10)).isEqualTo(3);
    }

    @Test
    void anEmptyPerIsOneSubject() {
        gates.policies("{\"name\":\"all\",\"per\":[],\"limit\":{\"rate\":\"10/s\",\"burst\":3}}");
        allowed("acme", 2);
        assertThat(allowed("bolt", 10)).isEqualTo(1);
    }

    @Test
    void aRequestThatLacksAnAttributeIsNotLimited() {
        gates.policies("{\"name\":\"ips\",\"per\":[\"ip\"],\"limit\":{\"rate\":\"1/s\"}}");
        assertThat(allowed("acme", 10)).isEqualTo(10);
    }

    @Test
    void aRejectionSaysHowLong() {
        gates.policies(limit("plans", "\"rate\":\"10/s\",\"burst\":3"));
        allowed("acme", 3);
        assertThat(gates.check("acme"))
                .isEqualTo(new Verdict.Rejected(
                        Verdict.Reason.LIMITED, "plans", 100, new Quota("plans", 3, 300_000_000L, 0, 1)));
    }

    @Test
    void anAllowedRequestIsToldWhatRemains() {
        gates.policies(limit("plans", "\"rate\":\"1/s\",\"burst\":3"));
        gates.check("acme");
        assertThat(gates.check("acme").quota()).isEqualTo(new Quota("plans", 3, 3_000_000_000L, 1, 2));
    }

    @Test
    void ofTwoLimitsTheTighterOneIsTold() {
        gates.policies(limit("wide", "\"rate\":\"10/s\",\"burst\":9"), limit("tight", "\"rate\":\"10/s\",\"burst\":2"));
        Quota quota = gates.check("acme").quota();
        assertThat(quota).isNotNull();
        assertThat(quota.policy()).isEqualTo("tight");
    }

    @Test
    void theFirstOverrideThatMatchesWins() {
        gates.policies(
                "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/s\",\"burst\":1},\"overrides\":["
                        + "{\"match\":{\"caller\":\"acme\"},\"limit\":{\"burst\":5}},"
                        + "{\"match\":{\"caller\":\"a*\"},\"limit\":{\"burst\":7}}]}");
        assertThat(allowed("acme", 20)).isEqualTo(5);
        assertThat(allowed("apex", 20)).isEqualTo(7);
        assertThat(allowed("bolt", 20)).isEqualTo(1);
    }

    @Test
    void aLaterRejectionGivesBackWhatWasCharged() {
        gates.policies(limit("wide", "\"rate\":\"1/m\",\"burst\":5"), limit("tight", "\"rate\":\"1/s\",\"burst\":1"));
        allowed("acme", 100);
        gates.policies(limit("wide", "\"rate\":\"1/m\",\"burst\":5"));
        assertThat(allowed("acme", 100)).isEqualTo(4);
    }

    @Test
    void aLaterRejectionGivesBackWhatAThrottleWasCharged() {
        gates.policies(
                "{\"name\":\"slow\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}],\"mode\":\"throttle\",\"rate\":\"4/s\"}}",
                limit("tight", "\"rate\":\"1/m\",\"burst\":1"));
        gates.lock("slow", "acme", Mode.THROTTLE);
        assertThat(gates.asked("acme")).isEqualTo("allowed");
        for (int i = 0; i < 10; i++) {
            assertThat(gates.asked("acme")).isEqualTo("LIMITED by tight");
        }
    }

    @Test
    void aLockedRequestIsNotCharged() {
        gates.policies(
                limit("plans", "\"rate\":\"1/m\",\"burst\":2"),
                "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}");
        gates.lock("noisy", "acme", Mode.BLOCK);
        allowed("acme", 10);
        gates.lock(gates.lockOf("noisy", "acme", Mode.OPEN, 0, gates.version(1)));
        assertThat(allowed("acme", 10)).isEqualTo(2);
    }

    @Test
    void aShadowLimitCountsAndLetsPass() {
        gates.policies(limit("plans", "\"rate\":\"1/m\",\"burst\":2,\"shadow\":true"));
        assertThat(allowed("acme", 10)).isEqualTo(10);
        assertThat(gates.decisions.counts().rejections(true)).containsEntry("plans", 8L);
    }

    @Test
    void aShadowLimitTellsNoQuota() {
        gates.policies(limit("plans", "\"rate\":\"1/m\",\"burst\":2,\"shadow\":true"));
        assertThat(gates.check("acme")).isSameAs(Verdict.Allowed.FREELY);
    }

    @Test
    void aThrottleOfNothingIsWorthAskingAboutTomorrow() {
        gates.policies(
                "{\"name\":\"slow\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}],\"mode\":\"throttle\",\"rate\":\"4/s\"}}");
        gates.operator(new OperatorRecord.Lock("slow", List.of("acme"), Mode.THROTTLE, 0, 600_000, "ann", "test", 0));
        assertThat(gates.check("acme")).isInstanceOfSatisfying(Verdict.Rejected.class, rejected -> {
            assertThat(rejected.retryAfterMillis()).isEqualTo(86_400_000);
            assertThat(rejected.quota().resetSeconds()).isEqualTo(86_400);
        });
    }

    @Test
    void aPermitInALongTimeIsWorthAskingAboutTomorrow() {
        gates.policies(limit("rare", "\"rate\":\"0.1/d\""));
        gates.check("acme");
        assertThat(gates.check("acme"))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class,
                        rejected -> assertThat(rejected.retryAfterMillis()).isEqualTo(86_400_000));
    }

    @Test
    void localLimitsStayExactWhileColdAndStale() {
        GateHarness cold = new GateHarness().policies(limit("plans", "\"rate\":\"1/m\",\"burst\":1"));
        assertThat(cold.allows("acme")).isTrue();
        assertThat(cold.asked("acme")).isEqualTo("LIMITED by plans");
        GateHarness stale = new GateHarness()
                .policies(limit("plans", "\"rate\":\"1/m\",\"burst\":1"))
                .stale();
        assertThat(stale.allows("acme")).isTrue();
        assertThat(stale.asked("acme")).isEqualTo("LIMITED by plans");
    }

    @Test
    void aLimitCanAllowOrDenyWhenDegraded() {
        GateHarness allow =
                new GateHarness().policies(limit("plans", "\"rate\":\"1/m\",\"burst\":1,\"onDegraded\":\"allow\""));
        allow.check("acme");
        assertThat(allow.asked("acme")).isEqualTo("allowed");
        GateHarness deny =
                new GateHarness().policies(limit("plans", "\"rate\":\"1/m\",\"burst\":1,\"onDegraded\":\"deny\""));
        assertThat(deny.asked("acme")).isEqualTo("LIMITED by plans");
    }

    @Test
    void aLimitThatDeniesWhenDegradedDoesNotConcernRequestsWithoutASubject() {
        GateHarness deny = new GateHarness()
                .policies(limit("plans", "\"rate\":\"1/m\",\"burst\":1,\"onDegraded\":\"deny\"")
                        .replace("\"caller\"", "\"labels.tenant\""));
        Request tenant =
                Request.of("acme").service("orders").label("tenant", "t1").build();
        assertThat(deny.check(tenant).allowed()).isFalse();
        assertThat(deny.asked("acme")).isEqualTo("allowed");
    }

    @Test
    void bucketsOutliveAChangeOfPolicies() {
        gates.policies(limit("plans", "\"rate\":\"1/m\",\"burst\":3"));
        allowed("acme", 10);
        gates.policies(limit("plans", "\"rate\":\"2/m\",\"burst\":3"), limit("more", "\"rate\":\"9/s\""));
        assertThat(gates.allows("acme")).isFalse();
    }

    @Test
    void anIdleCallerIsForgottenWithoutChangingAVerdict() {
        gates.policies(limit("plans", "\"rate\":\"1/s\",\"burst\":2"));
        allowed("acme", 2);
        gates.forward(1_999);
        gates.decisions.sweep(gates.now());
        assertThat(gates.decisions.gates()).isEqualTo(1);
        gates.forward(1);
        gates.decisions.sweep(gates.now());
        assertThat(gates.decisions.gates()).isZero();
        assertThat(allowed("acme", 10)).isEqualTo(2);
    }

    @Test
    void pastTheCapUnknownCallersShareOneGate() {
        GateHarness small = new GateHarness(true, 2).fresh().policies(limit("plans", "\"rate\":\"1/m\",\"burst\":2"));
        small.check("a");
        small.check("b");
        assertThat(small.allows("x")).isTrue();
        assertThat(small.allows("y")).isTrue();
        assertThat(small.allows("z")).isFalse();
        assertThat(small.allows("a")).isTrue();
        assertThat(small.decisions.gates()).isEqualTo(2);
    }

    @Test
    void whoIsPromotedFromTheSharedGateStartsEmpty() {
        GateHarness small = new GateHarness(true, 1).fresh().policies(limit("plans", "\"rate\":\"1/m\",\"burst\":2"));
        small.check("a");
        // spends both permits of the shared gate, then a's gate is full and forgotten before the shared one is
        small.forward(59_000);
        small.check("x");
        small.check("x");
        small.forward(1_000);
        small.decisions.sweep(small.now());
        assertThat(small.decisions.gates()).isZero();
        assertThat(small.allows("x")).isFalse();
        small.forward(60_000);
        assertThat(small.allows("x")).isTrue();
        assertThat(small.allows("x")).isFalse();
    }

    @Test
    void whoIsPromotedStartsEmptyEvenIfTheSharedGateHadPermitsLeft() {
        GateHarness small = new GateHarness(true, 1).fresh().policies(limit("plans", "\"rate\":\"1/m\",\"burst\":9"));
        small.check("a");
        small.forward(59_000);
        assertThat(allowed(small, "x", 4)).isEqualTo(4);
        small.forward(1_000);
        small.decisions.sweep(small.now());
        // the room that a left is x's; of nine permits it had four from the shared gate
        assertThat(allowed(small, "x", 9)).isZero();
        assertThat(small.decisions.gates()).isEqualTo(1);
    }

    @Test
    void whoIsPromotedByAnotherThreadMeanwhileIsNotChargedToTheSharedGate() {
        Race race = new Race(1);
        GateHarness small =
                new GateHarness(true, 1, race).fresh().policies(limit("plans", "\"rate\":\"1/m\",\"burst\":2"));
        small.check("a");
        small.forward(60_000);
        race.otherThread(() -> {
            small.decisions.sweep(small.now());
            assertThat(allowed(small, "x", 3)).isEqualTo(2);
        });
        // x has spent the burst of its own gate: the full shared one would be a second burst
        assertThat(small.asked("x")).isEqualTo("LIMITED by plans");
        // and the shared gate was given back what it was charged
        assertThat(allowed(small, "y", 9)).isEqualTo(2);
    }

    @Test
    void aLockIsAppliedEvenPastTheCap() {
        GateHarness small = new GateHarness(true, 1)
                .fresh()
                .policies(
                        limit("plans", "\"rate\":\"9/s\""),
                        "{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}");
        small.check("a");
        small.lock("noisy", "acme", Mode.BLOCK);
        assertThat(small.asked("acme")).isEqualTo("LOCKED by noisy");
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES) // a list in a bin would take longer
    void callersOfEqualHashesAreTheirOwnAndFoundFast() {
        gates.policies(
                limit("plans", "\"rate\":\"1/m\",\"burst\":1"),
                "{\"name\":\"pairs\",\"per\":[\"caller\",\"route\"],\"limit\":{\"rate\":\"1/m\",\"burst\":1}}");
        GateHarness big = new GateHarness(true, 1_000_000).fresh();
        big.policies(
                limit("plans", "\"rate\":\"1/m\",\"burst\":1"),
                "{\"name\":\"pairs\",\"per\":[\"caller\",\"route\"],\"limit\":{\"rate\":\"1/m\",\"burst\":1}}");
        List<String> names = equalHashes(14);
        for (String name : names) {
            assertThat(big.check(Request.of(name).route("/a").build()).allowed())
                    .isTrue();
        }
        for (String name : names) {
            assertThat(big.check(Request.of(name).route("/a").build()).allowed())
                    .isFalse();
        }
        assertThat(big.decisions.gates()).isEqualTo(2 * names.size());
    }

    private static List<String> equalHashes(int pairs) {
        List<String> names = new ArrayList<>(List.of(""));
        for (int i = 0; i < pairs; i++) {
            List<String> longer = new ArrayList<>();
            for (String name : names) {
                longer.add(name + "Aa");
                longer.add(name + "BB");
            }
            names = longer;
        }
        return names;
    }
}
