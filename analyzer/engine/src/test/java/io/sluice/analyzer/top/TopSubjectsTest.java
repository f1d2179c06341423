package io.sluice.analyzer.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopSubjectsTest {
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - { name: often, per: [caller], lock: { when: [{ above: 100 }] } }
              - { name: much, per: [caller], measure: bytes, lock: { when: [{ above: 100 }] } }
              - { name: limited, per: [caller], limit: { rate: 10/s } }
            """);

    private final TopSubjects top = new TopSubjects();

    TopSubjectsTest() {
        top.policies(POLICIES);
    }

    @Test
    void theBusiestComesFirstAndRejectedRequestsCountToo() {
        add("often", "acme", 10, 10, 0);
        add("often", "globex", 4, 4, 40);

        Top seen = top.at(1_000);

        assertThat(seen.subjects()).extracting(it -> it.subject().get(0)).containsExactly("globex", "acme");
        assertThat(seen.subjects().get(0).offered()).isCloseTo(44, within(1e-9));
        assertThat(seen.totals().get(revision("often"))).isCloseTo(54, within(1e-9));
    }

    @Test
    void aRejectedRequestIsOfferedAtTheMeanCostOfAdmittedOnes() {
        add("much", "acme", 1_000, 10, 5);
        add("much", "acme", 0, 0, 5);

        assertThat(top.at(1_000).subjects().get(0).offered()).isCloseTo(2_000, within(1e-6));
        assertThat(top.at(1_000).subjects().get(0).amount()).isCloseTo(1_000, within(1e-6));
    }

    @Test
    void aMinuteLaterLittleIsLeftAndInTheEndNobody() {
        add("often", "acme", 100, 100, 0);

        assertThat(top.at(61_000).subjects().get(0).requests()).isCloseTo(100 / Math.E, within(1e-6));
        assertThat(top.at(1_000 + 20 * 60_000).subjects()).isEmpty();
    }

    @Test
    void aPolicyThatIsGoneTakesItsSubjectsAlongAndTheOthersStay() {
        add("often", "acme", 1, 1, 0);
        add("much", "acme", 1, 1, 0);
        top.policies(new PolicySet(
                true, List.of(), PolicySet.Guard.DEFAULT, POLICIES.policies().subList(0, 1), "r"));
        add("much", "acme", 1, 1, 0);

        assertThat(top.at(1_000).subjects()).extracting(TopSubject::revision).containsExactly(revision("often"));
    }

    @Test
    void whatTasksKnowIsPutTogether() {
        add("often", "acme", 3, 3, 0);
        Top other = new Top(
                top.at(1_000).totals(),
                List.of(new TopSubject(revision("often"), List.of("globex"), 5, 0, 5, 5, 0, 0)));

        Top both = Top.of(List.of(top.at(1_000), other));

        assertThat(both.subjects()).extracting(it -> it.subject().get(0)).containsExactly("globex", "acme");
        assertThat(both.totals().get(revision("often"))).isCloseTo(6, within(1e-9));
    }

    private static String revision(String policy) {
        return POLICIES.policies().stream()
                .filter(it -> it.name().equals(policy))
                .findFirst()
                .orElseThrow()
                .revision();
    }

    private void add(String policy, String caller, long admitted, long count, long rejected) {
        top.add(
                new UsageKey(revision(policy), List.of(caller)),
                new UsagePartial(false, 1, admitted, count, rejected, 1_000, 1_000, new Origin(0, 1), 1));
    }
}
