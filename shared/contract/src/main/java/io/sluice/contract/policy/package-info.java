/** Policies: what to count, per which subject, when to lock and how. Start at {@link io.sluice.contract.policy.PolicySet}. */
@NullMarked
package io.sluice.contract.policy;

import org.jspecify.annotations.NullMarked;
