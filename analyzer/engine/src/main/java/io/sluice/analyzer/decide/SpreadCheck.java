package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.load.LoadTotals;
import io.sluice.analyzer.load.WatchKeys;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Notices callers whose requests are counted by more meters than the sources claim, and asks all meters not to rely on the claim: their marks
 * of quiet subjects are too high. Looks at the subjects that were reported last, at most {@value #MOST}, for a minute each. One thread.
 */
final class SpreadCheck {
    private static final int MOST = 256;
    private static final long SPAN_MILLIS = 60_000;
    /** For so long meters that start do not rely on the claim. */
    private static final long DISTRUST_MILLIS = 24 * 3_600_000L;
    /** A watch may find no room in the heap, here or where meters read it: it is asked for again as long as the claim is exceeded. */
    private static final long RETRY_MILLIS = 60_000;

    private final int claimed;
    private final boolean relied;
    private final LoadTotals totals;
    private final Counts counts;
    private final Map<UsageKey, Reporters> reported = new LinkedHashMap<>(16, 0.75f, true);
    /** The revisions of policies whose subjects contain the caller. */
    private Set<String> namingCaller = Set.of();
    /** When meters are to be asked again, epoch milliseconds. */
    private long askAgain = Long.MIN_VALUE;

    private static final class Reporters {
        private final BitSet meters = new BitSet();
        private long since;
    }

    /** @param totals takes the watch that asks the meters */
    SpreadCheck(TaskSettings settings, LoadTotals totals, Counts counts) {
        claimed = settings.callerSpread();
        relied = claimed < settings.meters();
        this.totals = totals;
        this.counts = counts;
    }

    void policies(PolicySet set) {
        namingCaller = set.policies().stream()
                .filter(policy -> policy.per().stream().anyMatch(it -> it.kind() == Attribute.Kind.CALLER))
                .map(Policy::revision)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** @param now broker time, or {@link BrokerClock#UNKNOWN} */
    void partial(UsageKey key, UsagePartial partial, long now) {
        if (!relied || !namingCaller.contains(key.policyRevision()) || !exceeds(key, partial)) {
            return;
        }
        counts.add(Count.SPREAD_EXCEEDED);
        if (now != BrokerClock.UNKNOWN && now >= askAgain) {
            askAgain = now + RETRY_MILLIS;
            totals.watch(WatchKeys.spread(claimed), now + DISTRUST_MILLIS);
        }
    }

    private boolean exceeds(UsageKey subject, UsagePartial partial) {
        Reporters reporters = reported.computeIfAbsent(subject, any -> new Reporters());
        if (reported.size() > MOST) {
            reported.remove(reported.keySet().iterator().next());
        }
        if (Math.abs(partial.newestTime() - reporters.since) > SPAN_MILLIS) {
            reporters.since = partial.newestTime();
            reporters.meters.clear();
        }
        reporters.meters.set(partial.origin().task());
        return reporters.meters.cardinality() > claimed;
    }

    void discard() {
        reported.clear();
    }
}
