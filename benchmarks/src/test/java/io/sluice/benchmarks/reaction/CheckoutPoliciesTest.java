package io.sluice.benchmarks.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.policy.Policy;
import org.junit.jupiter.api.Test;

class CheckoutPoliciesTest {

    @Test
    void theEventAfterAsManyAsTheTrafficSendsFirstCrosses() throws Exception {
        Policy checkout = CheckoutPolicies.read().policies().get(0);

        assertThat(checkout.name()).isEqualTo(CheckoutPolicies.CHECKOUT);
        assertThat(checkout.smallestThreshold()).isEqualTo(CheckoutPolicies.ABOVE);
    }
}
