package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.LimitRule.Adaptive;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverridesTest {
    private static final String LOCK =
            "'per':['caller'],'lock':{'when':[{'above':100}],'mode':'throttle','rate':'5/s','for':'10m',"
                    + "'escalate':{'factor':3,'upTo':'4h'}},'overrides':[";
    private static final String LIMIT =
            "'per':['caller'],'limit':{'rate':'10/s','burst':20,'onDegraded':'deny'},'overrides':[";

    @Test
    void anOverrideChangesTheFieldsItNamesAndInheritsTheOthers() throws InvalidPolicies {
        Policy policy = Policies.policy(LOCK + "{'match':{'caller':'acme'},'lock':{'when':[{'above':500}]}}]");

        LockRule acme = policy.lockFor(List.of("acme"));
        assertThat(acme.when()).containsExactly(new Condition.Above(500));
        assertThat(acme.rate()).isEqualTo(5);
        assertThat(acme.forMillis()).isEqualTo(600_000);
        assertThat(policy.lockFor(List.of("other"))).isSameAs(policy.lock());
    }

    @Test
    void aMappingInsideARuleIsMergedFieldByFieldToo() throws InvalidPolicies {
        Policy policy = Policies.policy(LOCK + "{'match':{'caller':'acme'},'lock':{'escalate':{'upTo':'8h'}}}]");

        assertThat(policy.lockFor(List.of("acme")).escalate())
                .isEqualTo(new LockRule.Escalate(3, 28_800_000, 86_400_000));
    }

    @Test
    void anotherModeLeavesTheRateBehind() throws InvalidPolicies {
        Policy policy = Policies.policy(LOCK + "{'match':{'caller':'acme'},'lock':{'mode':'block'}}]");

        assertThat(policy.lockFor(List.of("acme")).mode()).isEqualTo(Mode.BLOCK);
        assertThat(policy.lockFor(List.of("acme")).rate()).isZero();
    }

    @Test
    void aDebtLeavesTheEscalationBehind() throws InvalidPolicies {
        Policy policy = Policies.policy(LOCK + "{'match':{'caller':'acme'},'lock':{'for':'debt'}}]");

        assertThat(policy.lockFor(List.of("acme")).debt()).isTrue();
        assertThat(policy.lockFor(List.of("acme")).debtUpToMillis()).isEqualTo(7_200_000);
        assertThat(policy.lockFor(List.of("acme")).escalate()).isNull();
    }

    @Test
    void theFirstOverrideThatMatchesWins() throws InvalidPolicies {
        Policy policy = Policies.policy(LOCK
                + "{'match':{'caller':'a*'},'lock':{'when':[{'above':1}]}},"
                + "{'match':{'caller':'acme'},'lock':{'when':[{'above':2}]}}]");

        assertThat(policy.lockFor(List.of("acme")).when()).containsExactly(new Condition.Above(1));
    }

    @Test
    void anOverrideThatSaysNothingOfTheLockIsPassedOver() throws InvalidPolicies {
        Policy policy =
                Policies.policy("'per':['caller'],'limit':{'rate':'1/s'},'lock':{'when':[{'above':100}]},'overrides':["
                        + "{'match':{'caller':'acme'},'limit':{'rate':'9/s'}},"
                        + "{'match':{'caller':'acme'},'lock':{'when':[{'above':2}]}}]");

        assertThat(policy.lockFor(List.of("acme")).when()).containsExactly(new Condition.Above(2));
        assertThat(policy.limitFor(Request.of("acme")).permits()).isEqualTo(9);
    }

    @Test
    void anOverrideOfALimitMayAskForAnyRequestAttribute() throws InvalidPolicies {
        Policy policy = Policies.policy(LIMIT + "{'match':{'labels.plan':'gold'},'limit':{'rate':'100/s'}}]");

        LimitRule gold = policy.limitFor(Request.of("acme").labelled("plan", "gold"));
        assertThat(gold.permits()).isEqualTo(100);
        assertThat(gold.burst()).isEqualTo(20);
        assertThat(gold.onDegraded()).isEqualTo(OnDegraded.DENY);
        assertThat(policy.limitFor(Request.of("acme"))).isSameAs(policy.limit());
    }

    @Test
    void anotherAlgorithmInheritsOnlyWhatAllAlgorithmsRead() throws InvalidPolicies {
        Policy policy = Policies.policy(LIMIT
                + "{'match':{'caller':'acme'},'limit':{'algorithm':'concurrency','adaptive':{'min':2,'max':8}}}]");

        LimitRule acme = policy.limitFor(Request.of("acme"));
        assertThat(acme.algorithm()).isEqualTo(Algorithm.CONCURRENCY);
        assertThat(acme.adaptive()).isEqualTo(new Adaptive(2, 8));
        assertThat(acme.permits()).isZero();
        assertThat(acme.onDegraded()).isEqualTo(OnDegraded.DENY);
    }

    @Test
    void aLockForSomeSubjectsOnlyStandsInTheOverrideAlone() throws InvalidPolicies {
        Policy policy = Policies.policy(LIMIT + "{'match':{'caller':'acme'},'lock':{'when':[{'above':7}]}}]");

        assertThat(policy.lock()).isNull();
        assertThat(policy.locks()).isTrue();
        assertThat(policy.lockFor(List.of("acme")).when()).containsExactly(new Condition.Above(7));
        assertThat(policy.lockFor(List.of("other"))).isNull();
    }

    @Test
    void aNetworkAsWideAsTheGroupsOfPerMayChooseALock() throws InvalidPolicies {
        Policy policy = Policies.policy("'per':['ip'],'lock':{'when':[{'above':100}]},'overrides':["
                + "{'match':{'ip':['203.0.113.9','2001:db8::/64']},'lock':{'when':[{'above':2}]}}]");

        assertThat(policy.lockFor(List.of("203.0.113.9"))).isNotSameAs(policy.lock());
        assertThat(policy.lockFor(List.of("2001:db8::/64"))).isNotSameAs(policy.lock());
        assertThat(policy.lockFor(List.of("2001:db8:0:1::/64"))).isSameAs(policy.lock());
    }

    @ParameterizedTest
    @ValueSource(strings = {"['ip/16','ip/24']", "['ip/24','ip/16']"})
    void ofSeveralNetworks_theNarrowestDecides(String per) throws InvalidPolicies {
        Policy policy = Policies.policy("'per':" + per + ",'lock':{'when':[{'above':100}]},'overrides':["
                + "{'match':{'ip':['10.0.1.0/24','10.8.0.0/16']},'lock':{'when':[{'above':2}]}}]");
        boolean wideFirst = per.startsWith("['ip/16'");

        assertThat(policy.lockFor(subject(wideFirst, "10.0.0.0/16", "10.0.1.0/24")))
                .isNotSameAs(policy.lock());
        assertThat(policy.lockFor(subject(wideFirst, "10.8.0.0/16", "10.8.3.0/24")))
                .isNotSameAs(policy.lock());
        assertThat(policy.lockFor(subject(wideFirst, "10.0.0.0/16", "10.0.2.0/24")))
                .isSameAs(policy.lock());
    }

    private static List<String> subject(boolean wideFirst, String wide, String narrow) {
        return wideFirst ? List.of(wide, narrow) : List.of(narrow, wide);
    }

    @Test
    void theSmallestThresholdCountsOverridesSharesAndFloors() throws InvalidPolicies {
        String overridden = LOCK + "{'match':{'caller':'acme'},'lock':{'when':[{'above':30}]}}]";

        assertThat(Policies.policy(overridden).smallestThreshold()).isEqualTo(30);
        assertThat(threshold("[{'above':100},{'share':'40%','beyond':200}]")).isEqualTo(80);
        assertThat(threshold("[{'share':'40%'}]")).isZero();
        assertThat(threshold("[{'spike':5,'floor':9},{'above':10}]")).isEqualTo(9);
        assertThat(threshold("[{'all':[{'above':12},{'above':11}]}]")).isEqualTo(11);
        assertThat(Policies.policy("'per':[],'limit':{'rate':'1/s'}").smallestThreshold())
                .isInfinite();
    }

    private static double threshold(String when) throws InvalidPolicies {
        return Policies.policy("'per':['caller'],'lock':{'when':" + when + "}").smallestThreshold();
    }

    @Test
    void anAllowHoldsUntilItsTime() throws InvalidPolicies {
        PolicySet set =
                Policies.set("{'allow':[{'caller':'a','until':'1970-01-01T00:00:01Z'},{'caller':'b'}],'policies':[]}");

        assertThat(set.allows(Request.of("a"), 999)).isTrue();
        assertThat(set.allows(Request.of("a"), 1000)).isFalse();
        assertThat(set.allows(Request.of("b"), Long.MAX_VALUE)).isTrue();
        assertThat(set.allows(Request.of("c"), 0)).isFalse();
    }
}
