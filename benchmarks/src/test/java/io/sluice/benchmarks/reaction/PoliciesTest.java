package io.sluice.benchmarks.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.policy.Policy;
import org.junit.jupiter.api.Test;

class PoliciesTest {

    @Test
    void theEventAfterAsManyAsTheTrafficSendsFirstCrosses() throws Exception {
        Policy checkout = Policies.read().policies().get(0);

        assertThat(checkout.name()).isEqualTo(Policies.CHECKOUT);
        assertThat(checkout.smallestThreshold()).isEqualTo(Policies.ABOVE);
    }
}
