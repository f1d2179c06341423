package io.sluice.agent.internal.gate;

import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled policy set. Immutable, except for the gates.
 *
 * <p>A check looks up the entry of one policy first, the home policy: the first one with a limit, since nearly all its subjects have a gate. The
 * gate records whether other policies of the same {@code per} have a lock on the subject, and while it has none they need no look-up.
 */
final class CompiledPolicies {
    static final CompiledPolicies NONE =
            new CompiledPolicies(new PolicySet(true, List.of(), PolicySet.Guard.DEFAULT, List.of(), ""), List.of());

    private final PolicySet set;
    private final List<GatePolicy> policies;
    private final int home;
    private final boolean[] sharesHome;
    private final boolean limitsCost;
    private final boolean central;
    private final int[] tops;

    /** @param policies the compiled policies of the set, in its order */
    CompiledPolicies(PolicySet set, List<GatePolicy> policies) {
        this.set = set;
        this.policies = policies;
        this.sharesHome = new boolean[policies.size()];
        this.limitsCost = policies.stream().anyMatch(GatePolicy::limitsCost);
        this.central = policies.stream().anyMatch(GatePolicy::central);
        this.tops = new int[policies.size()];
        for (int i = 0; i < tops.length; i++) {
            tops[i] = top(i);
        }
        int first = 0;
        while (first < policies.size() && !policies.get(first).hasLimit()) {
            first++;
        }
        this.home = first == policies.size() ? 0 : first;
        for (int i = 0; i < policies.size(); i++) {
            List<?> per = policies.get(i).policy().per();
            sharesHome[i] = i != home && per.equals(policies.get(home).policy().per());
        }
    }

    /** Returns the policies as configured. */
    PolicySet set() {
        return set;
    }

    /** Returns the compiled policies, in the order of the set. */
    List<GatePolicy> policies() {
        return policies;
    }

    /** Returns whether a policy limits the cost of requests, not their number. */
    boolean limitsCost() {
        return limitsCost;
    }

    /** Returns whether a limit is counted by a central store. */
    boolean central() {
        return central;
    }

    /** Returns the policy at the top of a policy's hierarchy, as far as one store counts it. */
    GatePolicy top(GatePolicy of) {
        int index = policies.indexOf(of);
        return index < 0 ? of : policies.get(tops[index]);
    }

    private int top(int of) {
        int at = of;
        LimitRule limit = policies.get(at).policy().limit();
        // the policies were read, so that a hierarchy has no circle
        while (limit != null && limit.under() != null) {
            int parent = indexOf(limit.under());
            limit = parent < 0 ? null : policies.get(parent).policy().limit();
            if (limit != null && limit.strategy() != null) {
                at = parent;
            }
        }
        return at;
    }

    private int indexOf(String name) {
        for (int i = 0; i < policies.size(); i++) {
            if (policies.get(i).policy().name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether a policy is another than the home policy and counts by the same attributes. */
    boolean sharesHome(int index) {
        return sharesHome[index];
    }

    /** Returns the home policy's entry for a request, if it is needed to find locks: a limit looks it up by itself. */
    @Nullable
    SubjectEntry homeEntry(Freshness freshness, RequestAttributes request) {
        // before broker time is known, the age of a lock is unknown
        return freshness != Freshness.COLD && anyLocksAtHome()
                ? policies.get(home).table().find(request)
                : null;
    }

    private boolean anyLocksAtHome() {
        for (int i = 0; i < sharesHome.length; i++) {
            if ((sharesHome[i] || i == home) && policies.get(i).table().locks().any()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a policy's entry for a request if it can hold a lock, without a look-up where the home policy's gate excludes that.
     *
     * @param homeEntry the home policy's entry
     * @param arrivals see {@link LockRegistry#arrivals}
     */
    @Nullable
    SubjectEntry entry(
            int index, @Nullable SubjectEntry homeEntry, int arrivals, Freshness freshness, RequestAttributes request) {
        if (index == home) {
            return homeEntry;
        }
        if (sharesHome[index] && homeEntry instanceof SubjectGate gate && gate.unlockedAsOf(arrivals)) {
            return null;
        }
        GateTable table = policies.get(index).table();
        return freshness != Freshness.COLD && table.locks().any() ? table.find(request) : null;
    }
}
