package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.policy.LimitRule.Scope;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strategies, hierarchies and warm-ups of limits. */
class FleetRulesTest {
    private static final String TENANTS = """
            {'policies':[
              {'name':'everything','per':[],'limit':{'rate':'1000/s','scope':'fleet','strategy':'redis'}},
              {'name':'organisation','per':['labels.org'],
               'limit':{'rate':'100/s','scope':'fleet','strategy':'redis','under':'everything'}},
              {'name':'tenant','per':['labels.org','caller'],'match':{'route':'/orders'},
               'limit':{'rate':'10/s','scope':'fleet','strategy':'redis','under':'organisation'},
               'overrides':[{'match':{'caller':'acme'},'limit':{'rate':'50/s'}},
                            {'match':{'caller':'local'},'limit':{'scope':'agent'}},
                            {'match':{'method':'POST'},'limit':{'rate':'1/s'}}]}]}
            """;

    @Test
    void limit_strategyAndParent_areReadAndInherited() throws InvalidPolicies {
        Policy tenant = Policies.set(TENANTS).policies().get(2);

        assertThat(tenant.limit().strategy()).isEqualTo("redis");
        assertThat(tenant.limit().under()).isEqualTo("organisation");
        LimitRule acme = tenant.overrides().get(0).limit();
        assertThat(acme.strategy()).isEqualTo("redis");
        assertThat(acme.under()).isEqualTo("organisation");
        assertThat(acme.scope()).isEqualTo(Scope.FLEET);
    }

    @Test
    void override_ofScopeAgent_dropsStrategyAndParent() throws InvalidPolicies {
        LimitRule local =
                Policies.set(TENANTS).policies().get(2).overrides().get(1).limit();

        assertThat(local.strategy()).isNull();
        assertThat(local.under()).isNull();
    }

    @Test
    void quotaSlot_ofOverride_isEmptyWhereTheSubjectDecides() throws InvalidPolicies {
        Policy tenant = Policies.set(TENANTS).policies().get(2);

        assertThat(tenant.quotaSlot(tenant.overrides().get(0))).isEmpty();
        assertThat(tenant.quotaSlot(tenant.overrides().get(2))).matches("[0-9a-f]{16}");
    }

    @Test
    void canonicalForm_readAgain_isTheSameSet() throws Exception {
        PolicySet set = Policies.set(TENANTS);

        assertThat(PolicySetJson.read(PolicySetJson.writeDesired(set))).isEqualTo(set);
    }

    @Test
    void canonicalForm_withoutTheNewKeys_isAsBefore() throws InvalidPolicies {
        String written = new String(
                PolicySetJson.writeDesired(
                        Policies.set("{'policies':[{'name':'p','per':[],'limit':{'rate':'1/s','scope':'fleet'}}]}")),
                StandardCharsets.UTF_8);

        assertThat(written).doesNotContain("strategy", "under", "warmUp");
    }

    @Test
    void revision_ofAnotherStrategyOrWarmUp_differs() throws InvalidPolicies {
        List<String> revisions = List.of(
                revision("'scope':'fleet'"),
                revision("'scope':'fleet','strategy':'redis'"),
                revision("'scope':'fleet','strategy':'sql'"),
                revision("'warmUp':'1m'"),
                revision("'warmUp':'2m'"));

        assertThat(revisions).doesNotHaveDuplicates();
    }

    private static String revision(String more) throws InvalidPolicies {
        return Policies.set("{'policies':[{'name':'p','per':[],'limit':{'rate':'1/s'," + more + "}}]}")
                .revision();
    }

    @Test
    void hierarchy_ofEightLevels_isTheDeepest() throws InvalidPolicies {
        StringBuilder policies = new StringBuilder("{'name':'l0','per':[],'limit':{'rate':'1/s'}}");
        for (int level = 1; level < 8; level++) {
            policies.append(
                    ",{'name':'l" + level + "','per':[],'limit':{'rate':'1/s','under':'l" + (level - 1) + "'}}");
        }

        assertThat(Policies.set("{'policies':[" + policies + "]}").policies()).hasSize(8);
        policies.append(",{'name':'l8','per':[],'limit':{'rate':'1/s','under':'l7'}}");
        assertThatThrownBy(() -> Policies.set("{'policies':[" + policies + "]}"))
                .isInstanceOf(InvalidPolicies.class)
                .hasMessageContaining(
                        "policies[8].limit.under: found 'l7', allowed: a policy that is not under this one");
    }

    @Test
    void parent_widerNetwork_isDecidedByTheChild() throws InvalidPolicies {
        PolicySet set = Policies.set("{'policies':[{'name':'wide','per':['ip/16'],'limit':{'rate':'9/s'}},"
                + "{'name':'narrow','per':['ip/24'],'limit':{'rate':'1/s','under':'wide'}}]}");

        assertThat(set.policies().get(1).limit().under()).isEqualTo("wide");
    }

    @ParameterizedTest
    @CsvSource({
        "ip/20, ip/16, ip/24",
        "ip/20, ip/24, ip/16",
        // ip/24 has 24 bits of IPv4 and 64 of IPv6, ip/48 has 32 and 48
        "ip/56, ip/24, ip/48"
    })
    void parent_networkAroundOneOfTheChilds_isDecidedByTheChild(String parent, String first, String second)
            throws InvalidPolicies {
        assertThat(networks(parent, first, second).policies().get(1).limit().under())
                .isEqualTo("wide");
    }

    @ParameterizedTest
    @CsvSource({"ip/25, ip/16, ip/24", "ip, ip/24, ip/16", "ip/64, ip/33, ip/48"})
    void parent_networkNarrowerThanEachOfTheChilds_isNotDecided(String parent, String first, String second) {
        assertThatThrownBy(() -> networks(parent, first, second))
                .isInstanceOf(InvalidPolicies.class)
                .hasMessageContaining("which counts per [" + parent + "]");
    }

    private static PolicySet networks(String parent, String first, String second) throws InvalidPolicies {
        return Policies.set("{'policies':[{'name':'wide','per':['" + parent + "'],'limit':{'rate':'9/s'}},"
                + "{'name':'narrow','per':['" + first + "','" + second + "'],'limit':{'rate':'1/s','under':'wide'}}]}");
    }

    @Test
    void warmUp_isInMilliseconds() throws InvalidPolicies {
        assertThat(Policies.policy("'per':[],'limit':{'rate':'10/s','warmUp':'1m'}")
                        .limit()
                        .warmUpMillis())
                .isEqualTo(60_000);
    }
}
