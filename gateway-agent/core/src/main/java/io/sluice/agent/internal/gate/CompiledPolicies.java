package io.sluice.agent.internal.gate;

import io.sluice.contract.policy.PolicySet;
import java.util.List;

/**
 * A policy set, compiled. Immutable but for the gates inside.
 *
 * @param policies in the set's order
 */
record CompiledPolicies(PolicySet set, List<GatePolicy> policies) {
    static final CompiledPolicies NONE =
            new CompiledPolicies(new PolicySet(true, List.of(), PolicySet.Guard.DEFAULT, List.of(), ""), List.of());
}
