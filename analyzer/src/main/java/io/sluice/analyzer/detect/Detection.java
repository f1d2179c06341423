package io.sluice.analyzer.detect;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSums;
import io.sluice.analyzer.window.HotWindow;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds partial sums to the windows of their subjects and tells which subjects are over. One thread. */
public final class Detection {
    private final Windows windows;
    private final LoadBook loads;
    private final long slackMillis;
    private final Counts counts;
    /** Of each group, the subjects that may be over once its load has caught up. */
    private final Map<UsageKey, Set<UsageKey>> candidates = new HashMap<>();

    private Map<String, DetectedPolicy> policies = Map.of();

    /** @param slackMillis how late an event may come and how far ahead of the broker's clock */
    public Detection(Windows windows, LoadBook loads, long slackMillis, Counts counts) {
        this.windows = windows;
        this.loads = loads;
        this.slackMillis = slackMillis;
        this.counts = counts;
    }

    /** From now on detects by these policies. A policy whose revision is unchanged keeps its windows. */
    public void policies(PolicySet set) {
        Map<String, DetectedPolicy> built = new HashMap<>();
        for (Policy policy : set.policies()) {
            built.put(policy.revision(), new DetectedPolicy(policy, slackMillis));
        }
        policies = built;
        candidates.keySet().removeIf(group -> !built.containsKey(group.policyRevision()));
    }

    /** The policy of this revision, or {@code null}. */
    public @Nullable Policy policy(String revision) {
        DetectedPolicy known = policies.get(revision);
        return known == null ? null : known.policy;
    }

    /** Adds a partial sum of a subject and asks whether the subject is over now; for a share, as soon as a load comes. */
    public void partial(UsageKey key, UsagePartial partial, long now, FindingSink sink) {
        DetectedPolicy policy = policies.get(key.policyRevision());
        if (policy == null) {
            counts.add(Count.UNKNOWN_REVISION);
            return;
        }
        HotWindow window = windows.add(key, policy.shape, partial);
        DetectedPolicy.DetectedRule rule = policy.ruleFor(key.subject());
        if (rule == null || partial.admitted() == 0) {
            return;
        }
        for (Above above : rule.aboves) {
            if (above.ask(policy, rule, window, partial.pane(), now, sink)) {
                return;
            }
        }
        for (Share share : rule.shares) {
            UsageKey group = share.group(key);
            Load load = loads.load(group);
            if (!share.candidate(policy, window, load)) {
                continue;
            }
            // asked when the load that these events are part of arrives: until then it would be too small
            candidates.computeIfAbsent(group, any -> new LinkedHashSet<>()).add(key);
            if (!share.answers(policy, load, now)) {
                counts.add(Count.ABSTAINED);
            }
        }
    }

    /** Asks those subjects of a group that a newer load may show to be over. */
    public void load(UsageKey group, Load load, long now, FindingSink sink) {
        Set<UsageKey> asked = candidates.get(group);
        DetectedPolicy policy = policies.get(group.policyRevision());
        if (asked == null || policy == null) {
            return;
        }
        asked.removeIf(subject -> settled(policy, subject, group, load, now, sink));
        if (asked.isEmpty()) {
            candidates.remove(group);
        }
    }

    private boolean settled(
            DetectedPolicy policy, UsageKey subject, UsageKey group, Load load, long now, FindingSink sink) {
        DetectedPolicy.DetectedRule rule = policy.ruleFor(subject.subject());
        if (rule == null) {
            return true;
        }
        HotWindow window =
                windows.at(subject, policy.shape, policy.shape.window().paneOf(load.asOf()));
        boolean caughtUp = window.newestTime() <= load.asOf();
        boolean mayBeOver = false;
        for (Share share : rule.shares) {
            if (!share.group(subject).equals(group) || !share.candidate(policy, window, load)) {
                continue;
            }
            if (!share.answers(policy, load, now)) {
                counts.add(Count.ABSTAINED);
                mayBeOver |= !caughtUp;
                continue;
            }
            Finding finding = share.ask(policy, rule, window, group, load);
            if (finding != null && sink.finding(finding, now)) {
                return true;
            }
            mayBeOver |= !caughtUp;
        }
        return !mayBeOver;
    }

    /**
     * What a locked subject demands, admitted or not, as a part of the threshold it was locked for.
     *
     * @param asOf up to when all meters have read, epoch milliseconds
     * @return NaN when nothing can be said: the policy has changed, or its load is not known
     */
    public double demand(UsageKey key, Threshold threshold, long asOf) {
        DetectedPolicy policy = policies.get(key.policyRevision());
        if (policy == null) {
            return Double.NaN;
        }
        long readUpTo = policy.shape.window().paneOf(asOf);
        HotWindow window = windows.at(key, policy.shape, readUpTo);
        // the meters' positions may lag behind their partials: what is counted already is demand, not silence
        long last = Math.max(readUpTo, policy.shape.window().paneOf(window.newestTime()));
        double offered = window.admitted(last) + window.rejectedCount(last) * threshold.meanCost();
        UsageKey group = threshold.group();
        if (offered == 0) {
            return 0;
        }
        if (group == null) {
            return offered / (threshold.sum() * policy.scale);
        }
        Load load = loads.load(group);
        return load == null ? Double.NaN : offered / allowed(policy, threshold, load, last);
    }

    private static double allowed(DetectedPolicy policy, Threshold threshold, Load load, long last) {
        long first = policy.shape.firstPane(last);
        long admitted = LoadSums.admitted(load, first, last);
        long admittedCount = LoadSums.admittedCount(load, first, last);
        double meanCost = admittedCount == 0 ? threshold.meanCost() : (double) admitted / admittedCount;
        double offered = admitted + LoadSums.rejectedCount(load, first, last) * meanCost;
        return threshold.value() * Math.max(offered, Math.max(1, threshold.sum() * policy.scale));
    }

    /** Forgets all that is in heap. */
    public void discard() {
        windows.discard();
        candidates.clear();
    }
}
