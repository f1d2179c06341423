package io.sluice.analyzer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.policy.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupTest {
    private static Policy policy(String rest) {
        return TestPolicies.policies("{'name':'p'," + rest + "}").policies().get(0);
    }

    @Test
    void aSubjectFallsIntoTheGroupOfItsValues() {
        Policy policy = policy("'per':['caller','service'],'lock':{'when':[{'share':'40%','of':['service']}]}");

        assertThat(Group.all(policy)).singleElement().satisfies(group -> {
            assertThat(group.of(List.of("acme", "orders")).subject()).containsExactly("service", "orders");
            assertThat(group.of(List.of("acme", "orders"))).isEqualTo(group.key(List.of("orders")));
        });
    }

    @Test
    void anAttributeThatTheMatchFixesPartsNothing() {
        Policy policy = policy("'match':{'service':'orders'},'per':['caller'],"
                + "'lock':{'when':[{'share':'40%','of':['service']},{'share':'30%','of':[]}]}");

        assertThat(Group.all(policy))
                .singleElement()
                .satisfies(
                        group -> assertThat(group.of(List.of("acme")).subject()).isEmpty());
    }

    @Test
    void aPolicyWithoutAShareHasNoGroups() {
        assertThat(Group.all(policy("'per':['caller'],'lock':{'when':[{'above':9}]}")))
                .isEmpty();
    }
}
