package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetTest {
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - { name: noisy, per: [caller], window: 10s, lock: { when: [ { above: 5 } ], mode: block, for: 1m } }
              - { name: imports, per: [caller], window: 10s, lock: { when: [ { above: 5 } ], mode: block, for: 1m } }
            """);

    @Test
    void noPolicyAtAll_isAnsweredWithHowToGetSome() {
        assertThatThrownBy(() -> Target.in(null, "noisy", List.of("acme")))
                .hasMessage(
                        "no policy noisy is in force, nor any other; './sluice policies apply FILE' publishes some");
    }

    @Test
    void emptyCaller_isRefused() {
        assertThatThrownBy(() -> Target.in(POLICIES, "noisy", List.of("")))
                .hasMessage(
                        "noisy counts per [caller]: found nothing for caller, such as from an empty variable of a shell");
    }

    @Test
    void unknownPolicy_isAnsweredWithTheNearest_orAllThereAre() {
        assertThatThrownBy(() -> Target.in(POLICIES, "nosy", List.of("acme")))
                .hasMessage("no policy nosy is in force, did you mean noisy?");
        assertThatThrownBy(() -> Target.in(POLICIES, "quota", List.of("acme")))
                .hasMessage("no policy quota is in force; there are noisy, imports");
    }
}
