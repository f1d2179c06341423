package io.sluice.analyzer.detect;

import static io.sluice.analyzer.TestPolicies.policies;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.load.Group;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a lock is held against once the numbers of its policy have changed. */
class PresentThresholdTest {
    private static final double COST = 1;

    /** A sum that was usual is 30 here, and three times that fired. */
    private static final Threshold SPIKE = Threshold.of(Threshold.SPIKE, 3, 90, COST);

    private static final Threshold ABOVE = Threshold.of(Threshold.ABOVE, 60, 60, COST);
    private static final Threshold SHARE = share("{'share':'40%','beyond':600}", 0.4, 600);

    private static Policy policy(String conditions) {
        return policies("{'name':'p','per':['caller'],'window':'1m','lock':{'when':[" + conditions + "]}}")
                .policies()
                .get(0);
    }

    private static Threshold present(Threshold fired, String conditions) {
        Policy policy = policy(conditions);
        return PresentThreshold.of(fired, policy, policy.lock(), key(policy));
    }

    private static UsageKey key(Policy policy) {
        return new UsageKey(policy.revision(), List.of("acme"));
    }

    private static Threshold share(String condition, double share, double beyond) {
        Policy policy = policy(condition);
        UsageKey group = Group.of(policy, List.of()).of(List.of("acme"));
        return new Threshold(Threshold.SHARE, share, beyond, group, COST, List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{'above':60}", "{'above':10},{'above':60}", "{'spike':3,'floor':10},{'above':60},{'above':30}"})
    void unchanged_whileItsConditionIsThere(String conditions) {
        assertThat(present(ABOVE, conditions)).isEqualTo(ABOVE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'above':1000}                                              | 1000",
                "{'above':1000},{'above':500}                                | 500",
                "{'above':1000},{'all':[{'share':'40%'},{'above':100}]}      | 1000"
            })
    void above_lowestOfThoseThatStandAlone(String conditions, double sum) {
        assertThat(present(ABOVE, conditions)).isEqualTo(Threshold.of(Threshold.ABOVE, sum, sum, COST));
    }

    @ParameterizedTest
    @CsvSource({"3, 60, 90", "3, 1000, 1000", "6, 60, 180", "2, 60, 60", "2, 75, 75"})
    void spike_timesWhatWasUsual_orTheFloor(double factor, double floor, double sum) {
        Threshold present = present(SPIKE, "{'spike':" + factor + ",'floor':" + floor + "}");

        assertThat(present).isEqualTo(Threshold.of(Threshold.SPIKE, factor, sum, COST));
    }

    @Test
    void share_withItsLoad() {
        assertThat(present(SHARE, "{'share':'40%','beyond':600}")).isEqualTo(SHARE);
        assertThat(present(SHARE, "{'share':'40%','beyond':10000}"))
                .isEqualTo(new Threshold(Threshold.SHARE, 0.4, 10_000, SHARE.group(), COST, List.of()));
        assertThat(present(SHARE, "{'share':'60%','beyond':600}"))
                .isEqualTo(new Threshold(Threshold.SHARE, 0.6, 600, SHARE.group(), COST, List.of()));
    }

    @Test
    void all_byTheNumbersOfOneCondition() {
        Threshold both = SHARE.and(List.of(ABOVE));

        assertThat(present(both, "{'all':[{'above':60},{'share':'40%','beyond':600}]}"))
                .isEqualTo(both);
        assertThat(present(both, "{'above':80},{'all':[{'above':100},{'share':'50%','beyond':600}]}"))
                .isEqualTo(new Threshold(
                        Threshold.SHARE,
                        0.5,
                        600,
                        SHARE.group(),
                        COST,
                        List.of(Threshold.of(Threshold.ABOVE, 100, 100, COST))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'spike':3,'floor':10}", "{'share':'40%'}", "{'all':[{'above':60},{'share':'40%'}]}"})
    void noneWhereNoConditionIsOfTheKind(String conditions) {
        assertThat(present(ABOVE, conditions)).isNull();
    }

    @Test
    void debt_isHeldAgainstTheSumOnceThePolicyKeepsNone() {
        Threshold debt = Threshold.of(Threshold.DEBT, 60, 60, COST);

        assertThat(present(debt, "{'above':60}")).isEqualTo(debt);
        assertThat(present(debt, "{'above':1000}").sum()).isEqualTo(1_000);
    }
}
