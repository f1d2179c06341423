package io.sluice.agent.internal.gate;

import io.sluice.contract.policy.PolicySet;
import java.util.List;

/**
 * A compiled policy set. Immutable, except for the gates.
 *
 * @param set the policies as configured
 * @param policies the compiled policies, in the same order
 */
record CompiledPolicies(PolicySet set, List<GatePolicy> policies) {
    static final CompiledPolicies NONE =
            new CompiledPolicies(new PolicySet(true, List.of(), PolicySet.Guard.DEFAULT, List.of(), ""), List.of());
}
