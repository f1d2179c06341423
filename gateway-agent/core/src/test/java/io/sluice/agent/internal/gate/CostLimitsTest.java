package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.lock.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits of policies with {@code measure: cost}: a request is charged its cost, all or nothing. */
final class CostLimitsTest {
    private static final String TOKENS = tokens("tokens", "'rate':'60/m','burst':1000");
    private static final String REQUESTS =
            "{'name':'requests','per':['caller'],'limit':{'rate':'1/m','burst':3}}".replace('\'', '"');

    private final GateHarness gates = new GateHarness();

    private static String tokens(String name, String limit) {
        return ("{'name':'" + name + "','per':['caller'],'measure':'cost','limit':{" + limit + "}}").replace('\'', '"');
    }

    private Verdict ask(String caller, long cost) {
        return gates.check(caller, cost);
    }

    private static long remaining(Verdict verdict) {
        Quota quota = verdict.quota();
        assertThat(quota).isNotNull();
        return quota == null ? -1 : quota.remaining();
    }

    @Test
    void check_takesItsCostOrNothing() {
        gates.policies(TOKENS).fresh();
        assertThat(remaining(ask("acme", 600))).isEqualTo(400);
        Verdict rejected = ask("acme", 401);
        assertThat(rejected).isInstanceOfSatisfying(Verdict.Rejected.class, it -> {
            assertThat(it.reason()).isEqualTo(Verdict.Reason.LIMITED);
            assertThat(it.retryAfterMillis()).isEqualTo(1000);
        });
        assertThat(remaining(ask("acme", 400))).isZero();
    }

    @Test
    void check_moreThanTheLimitEverHas_isADistinctAnswerAndCostsNothing() {
        gates.policies(TOKENS).fresh();
        Verdict rejected = ask("acme", 1001);
        assertThat(rejected).isInstanceOfSatisfying(Verdict.Rejected.class, it -> {
            assertThat(it.reason()).isEqualTo(Verdict.Reason.EXCEEDS_LIMIT);
            assertThat(it.quota()).isEqualTo(new Quota("tokens", Quota.Unit.COST, 1000, 1_000_000_000_000L, 1000, 0));
        });
        assertThat(remaining(ask("acme", 1000))).isZero();
    }

    @Test
    void limitOfRequests_isChargedOne() {
        gates.policies(TOKENS, REQUESTS).fresh();
        assertThat(ask("acme", 10).allowed()).isTrue();
        assertThat(ask("acme", 10).allowed()).isTrue();
        assertThat(ask("acme", 10).allowed()).isTrue();
        assertThat(ask("acme", 10))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class, it -> assertThat(it.policy()).isEqualTo("requests"));
        // the fourth was returned
        gates.policies(TOKENS);
        assertThat(remaining(ask("acme", 1))).isEqualTo(1000 - 30 - 1);
    }

    @ParameterizedTest
    @EnumSource(EveryAlgorithm.class)
    void everyAlgorithm_takesSeveralAtOnce(EveryAlgorithm algorithm) {
        gates.policies(tokens("tokens", algorithm.limit().replace('"', '\''))).fresh();
        assertThat(ask("acme", 2).allowed()).isTrue();
        assertThat(ask("acme", 1).allowed()).isFalse();
        assertThat(ask("bolt", 3))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class, it -> assertThat(it.reason()).isEqualTo(Verdict.Reason.EXCEEDS_LIMIT));
        assertThat(ask("bolt", 2).allowed()).isTrue();
    }

    @Test
    void concurrency_holdsAllPermitsUntilTheVerdictIsClosed() {
        gates.policies(tokens("slots", "'algorithm':'concurrency','max':5")).fresh();
        Verdict heavy = ask("acme", 4);
        assertThat(ask("acme", 2).allowed()).isFalse();
        heavy.settle(1);
        assertThat(ask("acme", 2).allowed()).isFalse();
        heavy.close();
        heavy.close();
        assertThat(ask("acme", 5).allowed()).isTrue();
    }

    @Test
    void settle_withLess_returnsTheRestOnce() {
        gates.policies(TOKENS).fresh();
        Verdict verdict = ask("acme", 1000);
        gates.forward(2_000);
        verdict.settle(640);
        verdict.settle(0);
        verdict.close();
        assertThat(remaining(ask("acme", 1))).isEqualTo(360 + 2 - 1);
    }

    @Test
    void settle_withMore_chargesBeyondTheLimit() {
        gates.policies(TOKENS).fresh();
        ask("acme", 900).settle(1100);
        assertThat(ask("acme", 1))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class,
                        it -> assertThat(it.retryAfterMillis()).isEqualTo(101_000));
    }

    @Test
    void settle_withMore_afterTheLimiterWasRemoved_isChargedToTheNext() {
        gates.policies(TOKENS).fresh();
        Verdict verdict = ask("acme", 1);
        gates.forward(60_000);
        gates.decisions.tidy(gates.now());
        assertThat(gates.decisions.gates()).isZero();
        verdict.settle(501);
        assertThat(remaining(ask("acme", 100))).isEqualTo(400);
    }

    @Test
    void settle_concernsAllLimitsOfCost() {
        gates.policies(TOKENS, tokens("daily", "'algorithm':'fixed-window','rate':'5000/d'"))
                .fresh();
        ask("acme", 800).settle(300);
        gates.policies(tokens("daily", "'algorithm':'fixed-window','rate':'5000/d'"));
        assertThat(remaining(ask("acme", 1))).isEqualTo(5000 - 301);
    }

    @Test
    void quota_ofSeveralUnits_isThatOfTheSmallerPart() {
        gates.policies(TOKENS, REQUESTS.replace("\"burst\":3", "\"burst\":10")).fresh();
        assertThat(ask("acme", 500).quota()).extracting(Quota::policy).isEqualTo("tokens");
        assertThat(ask("bolt", 50).quota()).extracting(Quota::policy).isEqualTo("requests");
    }

    @Test
    void settle_ofARejection_hasNoEffect() {
        gates.policies(TOKENS).fresh();
        ask("acme", 2000).settle(500);
        assertThat(remaining(ask("acme", 1))).isEqualTo(999);
    }

    @Test
    void shadowLimit_admitsAndStillCountsWhatWasUsed() {
        gates.policies(tokens("tokens", "'rate':'60/m','burst':100,'shadow':true"))
                .fresh();
        Verdict verdict = ask("acme", 150);
        assertThat(verdict.allowed()).isTrue();
        verdict.settle(100);
        assertThat(ask("acme", 1).allowed()).isTrue();
        assertThat(gates.wouldReject("tokens")).isEqualTo(2);
    }

    @Test
    void charge_countsWhatWasUsedElsewhere() {
        gates.policies(TOKENS, REQUESTS).fresh();
        gates.charge("acme", 700);
        gates.charge("acme", 700);
        assertThat(ask("acme", 1))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class,
                        it -> assertThat(it.retryAfterMillis()).isEqualTo(401_000));
        gates.policies(REQUESTS);
        // a charge is no request
        assertThat(remaining(ask("acme", 1))).isEqualTo(2);
    }

    @Test
    void throttle_countsRequests() {
        gates.policies("{'name':'noisy','per':['caller'],'measure':'cost','lock':{'when':[{'above':10}]}}"
                        .replace('\'', '"'))
                .fresh();
        gates.lock("noisy", "acme", Mode.THROTTLE);
        assertThat(ask("acme", 1_000_000).allowed()).isTrue();
        assertThat(ask("acme", 1).allowed()).isTrue();
        assertThat(ask("acme", 1).allowed()).isFalse();
    }

    @Test
    void costThatNoPolicyLimits_isAReasonUntilOneDoes() {
        gates.policies(REQUESTS).fresh();
        ask("acme", 1);
        assertThat(gates.decisions.reasons(gates.now())).isEmpty();
        ask("acme", 10);
        assertThat(gates.decisions.reasons(gates.now()))
                .extracting(Reason::text)
                .containsExactly("requests name a cost, but no policy has a limit with measure: cost; each counts one");
        gates.policies(REQUESTS, TOKENS);
        ask("acme", 10);
        assertThat(gates.decisions.reasons(gates.now())).isEmpty();
    }

    /** A caller that finds no room for a gate pays to the shared limiter, and what it returns goes there, too. */
    @Test
    void withoutRoomForAGate_theSharedLimiterIsChargedAndRefunded() {
        GateHarness full = new GateHarness(true, 1);
        full.policies(TOKENS).fresh();
        full.check("first", 1);
        full.check("acme", 900).settle(400);
        assertThat(remaining(full.check("bolt", 1))).isEqualTo(599);
    }
}
