package io.sluice.analyzer.top;

import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The heaviest subjects of one task, for each policy a sketch. It is fed with partial sums, not events: a busy caller costs a few additions
 * a second. One thread; results of {@link #at} are immutable and can be read on any.
 */
public final class TopSubjects {
    /** So many subjects of each policy, some 50 KiB: no count is wrong by more than a 256th of all. */
    private static final int MOST = 256;

    private static final long MINUTE = 60_000;
    /** Weight of a request after four and a half minutes. */
    private static final double NEGLIGIBLE = 0.01;

    private Map<String, Ranked> policies = Map.of();

    /** A policy's sketch, and what it knows of the mean cost of a request. */
    private static final class Ranked {
        private Sketch sketch = new Sketch(MOST, MINUTE);
        private final boolean byRequests;
        private double meanCost = 1;

        private Ranked(Policy policy) {
            byRequests = policy.measure() instanceof Measure.Requests || policy.measure() instanceof Measure.Distinct;
        }

        private void discard() {
            sketch = new Sketch(MOST, MINUTE);
        }

        private void add(UsageKey key, UsagePartial partial) {
            long requests = partial.admittedCount() + partial.rejectedCount();
            sketch.add(
                    key.subject(),
                    partial.newestTime(),
                    new Use(
                            byRequests ? requests : partial.admitted() + partial.rejectedCount() * cost(partial),
                            partial.admitted(),
                            partial.admittedCount(),
                            partial.rejectedCount(),
                            partial.micros()));
        }

        /** Mean cost of these requests; where none was admitted, what one cost lately. */
        private double cost(UsagePartial partial) {
            if (partial.admittedCount() > 0) {
                meanCost = (double) partial.admitted() / partial.admittedCount();
            }
            return meanCost;
        }
    }

    /** From now on ranks by these policies. A policy whose revision is unchanged keeps its sketch. */
    public void policies(PolicySet set) {
        Map<String, Ranked> ranked = new HashMap<>();
        for (Policy policy : set.policies()) {
            if (policy.locks()) {
                Ranked before = policies.get(policy.revision());
                ranked.put(policy.revision(), before == null ? new Ranked(policy) : before);
            }
        }
        policies = ranked;
    }

    /** Adds a subject's partial sum. */
    public void add(UsageKey key, UsagePartial partial) {
        Ranked policy = policies.get(key.policyRevision());
        if (policy != null) {
            policy.add(key, partial);
        }
    }

    /** Returns them at broker time {@code now}. */
    public Top at(long now) {
        Map<String, Double> totals = new HashMap<>();
        List<TopSubject> subjects = new ArrayList<>();
        policies.forEach((revision, policy) -> {
            totals.put(revision, policy.sketch.total(now));
            for (Sketch.Held held : policy.sketch.held(now)) {
                Use use = held.use();
                if (use.admitted() + use.rejected() >= NEGLIGIBLE) {
                    subjects.add(new TopSubject(
                            revision,
                            held.subject(),
                            use.weight(),
                            held.error(),
                            use.amount(),
                            use.admitted(),
                            use.rejected(),
                            use.micros()));
                }
            }
        });
        return new Top(totals, subjects);
    }

    /** Removes all subjects: uncommitted partials are added again. */
    public void discard() {
        policies.values().forEach(Ranked::discard);
    }
}
