package io.sluice.analyzer.detect;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.window.HotWindow;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds partial sums to the windows of their subjects and reports subjects that are over. Confined to one thread. */
public final class Detection {
    /** Demand above this part of the threshold renews a lock. */
    public static final double RENEWS = 0.8;

    private final Windows windows;
    private final DetectorState memory;
    private final LoadBook loads;
    private final long slackMillis;
    private final Counts counts;
    /** Of each group, the subjects that may be over once its load has caught up. */
    private final Candidates candidates;

    private final Watches watches;

    private Map<String, DetectedPolicy> policies = Map.of();

    /**
     * @param slackMillis how late an event may come and how far ahead of the broker's clock
     * @param budget for the subjects that wait for a load
     */
    public Detection(
            Windows windows,
            DetectorState memory,
            LoadBook loads,
            Watches watches,
            long slackMillis,
            TaskBudget budget,
            Counts counts) {
        this.watches = watches;
        candidates = new Candidates(budget, counts);
        this.windows = windows;
        this.memory = memory;
        this.loads = loads;
        this.slackMillis = slackMillis;
        this.counts = counts;
    }

    /** Replaces the policies. A policy whose revision is unchanged keeps its windows. */
    public void policies(PolicySet set) {
        Map<String, DetectedPolicy> built = new HashMap<>();
        for (Policy policy : set.policies()) {
            built.put(policy.revision(), new DetectedPolicy(policy, slackMillis));
        }
        policies = built;
        memory.policies(set);
        candidates.retain(group -> built.containsKey(group.policyRevision()));
    }

    /** Returns the policy of a revision, or {@code null}. */
    public @Nullable Policy policy(String revision) {
        DetectedPolicy known = policies.get(revision);
        return known == null ? null : known.policy;
    }

    /** Adds a partial sum of a subject, parts of whose loads may be yet to arrive. */
    public void partial(UsageKey key, UsagePartial partial, long now, FindingSink sink) {
        partial(key, partial, true, now, sink);
    }

    /**
     * Adds a partial sum of a subject and evaluates the subject. A share is evaluated when its load arrives, or at once where the load is already
     * complete.
     *
     * @param late whether it has events of a time that its meter had already passed: a load of that time need not have them
     */
    public void partial(UsageKey key, UsagePartial partial, boolean late, long now, FindingSink sink) {
        DetectedPolicy policy = policies.get(key.policyRevision());
        if (policy == null) {
            counts.add(Count.UNKNOWN_REVISION);
            return;
        }
        HotWindow window = windows.add(key, policy.shape, partial);
        DetectedPolicy.DetectedRule rule = policy.ruleFor(key.subject());
        if (rule == null) {
            return;
        }
        memory.add(policy.policy, rule, key, window, partial, windows, now);
        Subject subject = new Subject(key, policy, rule, window, memory, loads);
        watches.look(subject, partial.pane());
        if (partial.admittedCount() == 0) {
            return;
        }
        if (!askPrompt(subject, partial.pane(), now, sink)) {
            noteCandidates(subject, late, now, sink);
        }
    }

    /**
     * Removes the subjects whose load did not come in time.
     *
     * @param asOf the position of all meters, epoch milliseconds; {@link Long#MIN_VALUE} while it is unknown
     */
    public void passed(long asOf) {
        candidates.sweep(asOf, this::spanMillis);
    }

    private long spanMillis(UsageKey group) {
        DetectedPolicy policy = policies.get(group.policyRevision());
        return slackMillis + (policy == null ? 0 : policy.shape.window().millis());
    }

    /** Asks all meters to hold nothing of a subject back for a window, because a person looks at it. */
    public void watch(UsageKey key, long now) {
        DetectedPolicy policy = policies.get(key.policyRevision());
        if (policy != null) {
            watches.ask(key, policy, now);
        }
    }

    /** Evaluates the pane of the partial and every later pane that it may have pushed over. */
    private static boolean askPrompt(Subject subject, long from, long now, FindingSink sink) {
        HotWindow window = subject.window();
        for (Detector detector : subject.rule().prompt) {
            for (long pane = window.paneFrom(from); pane != Long.MAX_VALUE; pane = window.paneFrom(pane + 1)) {
                Detector.Over over = detector.ask(subject, pane);
                if (over != null && sink.finding(subject.finding(over, pane), now)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void noteCandidates(Subject subject, boolean late, long now, FindingSink sink) {
        for (Detector detector : subject.rule().patient) {
            if (!candidate(detector, subject)) {
                continue;
            }
            if (!late && caughtUp(detector, subject)) {
                // the load that these events are part of is here, and may be the last for long
                if (found(detector, upTo(lastPane(detector, subject), subject), now, sink)) {
                    return;
                }
                continue;
            }
            // asked when the load that these events are part of arrives: until then it would be too small
            for (Share share : detector.shares()) {
                candidates.add(
                        share.group(subject.key()),
                        subject.key(),
                        subject.window().newestTime());
            }
            if (!answers(detector, subject, now)) {
                counts.add(Count.ABSTAINED);
            }
        }
    }

    /** Returns the subject with all panes loaded of the window that ends with a pane. */
    private Subject upTo(long pane, Subject subject) {
        HotWindow window = windows.at(subject.key(), subject.shape(), pane);
        return new Subject(subject.key(), subject.policy(), subject.rule(), window, memory, loads);
    }

    static boolean candidate(Detector detector, Subject subject) {
        return detector.shares().stream().allMatch(share -> share.candidate(subject));
    }

    private static boolean caughtUp(Detector detector, Subject subject) {
        return detector.shares().stream().allMatch(share -> share.caughtUp(subject));
    }

    private static boolean answers(Detector detector, Subject subject, long now) {
        return detector.shares().stream().allMatch(share -> share.answers(subject, now));
    }

    /** Evaluates the candidates of a group against a newer load. */
    public void load(UsageKey group, long asOf, long now, FindingSink sink) {
        DetectedPolicy policy = policies.get(group.policyRevision());
        if (policy != null) {
            candidates.removeIf(group, key -> settled(policy, key, asOf, now, sink));
        }
    }

    private boolean settled(DetectedPolicy policy, UsageKey key, long asOf, long now, FindingSink sink) {
        DetectedPolicy.DetectedRule rule = policy.ruleFor(key.subject());
        if (rule == null) {
            return true;
        }
        HotWindow window = windows.at(key, policy.shape, policy.shape.window().paneOf(asOf));
        Subject subject = new Subject(key, policy, rule, window, memory, loads);
        boolean mayBeOver = false;
        for (Detector detector : rule.patient) {
            if (!candidate(detector, subject)) {
                continue;
            }
            if (found(detector, subject, now, sink)) {
                return true;
            }
            mayBeOver |= !caughtUp(detector, subject);
        }
        return !mayBeOver;
    }

    /** Evaluates a share, unless its loads are too incomplete for an answer. */
    private boolean found(Detector detector, Subject subject, long now, FindingSink sink) {
        if (!answers(detector, subject, now)) {
            counts.add(Count.ABSTAINED);
            return false;
        }
        long pane = lastPane(detector, subject);
        Detector.Over over = detector.ask(subject, pane);
        return over != null && sink.finding(subject.finding(over, pane), now);
    }

    /** Returns the last pane for which all loads are complete. */
    private static long lastPane(Detector detector, Subject subject) {
        return detector.shares().stream()
                .mapToLong(share -> share.lastPane(subject))
                .min()
                .orElse(Long.MIN_VALUE);
    }

    /**
     * Returns the offered demand of a locked subject as a part of the threshold that it was locked for, by the numbers of the present policy; the least
     * where several thresholds had to be passed. Where the policy has no such condition any more, it is held against the former one, and is no more than
     * {@value #RENEWS}: the lock ends.
     *
     * @param asOf up to when all meters have read, epoch milliseconds
     * @return NaN when it is unknown: the policy is gone, or its load is missing
     */
    public double demand(UsageKey key, Threshold threshold, long asOf) {
        Threshold present = present(key, threshold);
        return present == null ? Math.min(offered(key, threshold, asOf), RENEWS) : offered(key, present, asOf);
    }

    /** Returns the same, with what may be on its way: for a window after its newest event, the subject is taken to go on. */
    public double demandOnItsWay(UsageKey key, Threshold threshold, long asOf) {
        Threshold present = present(key, threshold);
        return present == null ? Math.min(onItsWay(key, threshold, asOf), RENEWS) : onItsWay(key, present, asOf);
    }

    /** Returns the same, with what may be on its way, as a part of what a lock sheds down to. */
    public double excess(UsageKey key, Threshold threshold, long asOf) {
        Threshold present = present(key, threshold);
        return onItsWay(key, (present == null ? threshold : present).shed(), asOf);
    }

    private @Nullable Threshold present(UsageKey key, Threshold threshold) {
        DetectedPolicy policy = policies.get(key.policyRevision());
        DetectedPolicy.DetectedRule rule = policy == null ? null : policy.ruleFor(key.subject());
        return policy == null || rule == null ? null : PresentThreshold.of(threshold, policy.policy, rule.rule, key);
    }

    private double offered(UsageKey key, Threshold threshold, long asOf) {
        DetectedPolicy policy = policies.get(key.policyRevision());
        return policy == null
                ? Double.NaN
                : Offered.of(policy, windows, key, asOf).against(threshold, loads);
    }

    private double onItsWay(UsageKey key, Threshold threshold, long asOf) {
        DetectedPolicy policy = policies.get(key.policyRevision());
        return policy == null
                ? Double.NaN
                : Offered.of(policy, windows, key, asOf).onItsWay(threshold, loads, asOf);
    }

    /**
     * Returns the debt of a subject that is locked for it at broker time {@code now}, in the measure's unit.
     *
     * @return NaN when it is unknown: its policy keeps no debts any more, or the debt is older than what is kept of silent subjects
     */
    public double debt(UsageKey key, long now) {
        DetectedPolicy policy = policies.get(key.policyRevision());
        DetectedPolicy.DetectedRule rule = policy == null ? null : policy.ruleFor(key.subject());
        return rule == null || rule.owing == null ? Double.NaN : memory.keptDebt(rule.owing, key, now);
    }

    /** Discards all state in heap. */
    public void discard() {
        windows.discard();
        memory.discard();
        candidates.clear();
        watches.discard();
    }
}
