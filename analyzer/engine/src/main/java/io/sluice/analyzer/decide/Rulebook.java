package io.sluice.analyzer.decide;

import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The terms of locks of the policies in force. */
final class Rulebook {
    private final Map<String, Policy> byName = new HashMap<>();
    /** Policies that count by other attributes than before: what their older locks name is another subject now. */
    private final Set<String> reshaped = new HashSet<>();

    private @Nullable PolicySet set;

    void policies(PolicySet next) {
        for (Policy policy : next.policies()) {
            Policy before = byName.get(policy.name());
            if (before != null && !before.per().equals(policy.per())) {
                reshaped.add(policy.name());
            }
        }
        byName.clear();
        next.policies().forEach(policy -> byName.put(policy.name(), policy));
        set = next;
    }

    /** All locks have been held against the newest policies. */
    void settled() {
        reshaped.clear();
    }

    Collection<Policy> policies() {
        return byName.values();
    }

    @Nullable
    Policy policy(String name) {
        return byName.get(name);
    }

    /** The terms of a lock by this rule, {@code null} while no policies are known. */
    @Nullable
    Terms terms(LockRule rule) {
        return set == null ? null : Terms.of(rule, set.enforce());
    }

    /** Returns the present terms of a lease; {@code null} when the policies no longer lock its subject. */
    @Nullable
    Terms terms(Lease lease) {
        if (set == null) {
            return lease.terms();
        }
        Policy policy = policy(lease.key().policy());
        if (policy == null || !fits(lease)) {
            return null;
        }
        LockRule rule = policy.lockFor(lease.key().subject());
        return rule == null ? null : terms(rule);
    }

    /** Returns whether a lease's subject is one of its policy as it counts now; true for a policy that is gone. */
    boolean fits(Lease lease) {
        Policy policy = policy(lease.key().policy());
        if (policy == null) {
            return true;
        }
        if (policy.per().size() != lease.key().subject().size()) {
            return false;
        }
        return lease.per() == null ? !reshaped(policy, lease) : LockValidity.fits(lease.per(), policy.perNames());
    }

    private boolean reshaped(Policy policy, Lease lease) {
        return reshaped.contains(policy.name()) && !lease.key().policyRevision().equals(policy.revision());
    }
}
