package io.sluice.analyzer.detect;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.analyzer.history.Baseline;
import io.sluice.analyzer.history.Debt;
import io.sluice.analyzer.load.ServiceTimes;
import io.sluice.analyzer.window.Histories;
import io.sluice.analyzer.window.HotWindow;
import io.sluice.analyzer.window.WindowStore;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Quantities;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A task's state of subjects beyond their windows: baselines, service times and debts. Confined to one thread. */
public final class DetectorState {
    /** Prefixes of the keys of baselines, service times and debts. */
    static final char USUAL = 'b';

    private static final char SERVICE_TIMES = 'o';
    static final char DEBTS = 'd';

    private final Histories<Baseline> usual;
    private final Histories<Baseline> serviceTimes;
    private final Histories<Debt> debts;
    private final UncountedTimes uncounted = new UncountedTimes();
    private final Predicate<UsageKey> locked;
    private final Counts counts;

    /**
     * @param budget decides how many histories are held in heap
     * @param locked whether a subject is locked at present: locked times do not count for baselines
     */
    public DetectorState(WindowStore store, TaskBudget budget, Predicate<UsageKey> locked, Counts counts) {
        usual = new Histories<>(store, USUAL, budget, Baseline::decode);
        serviceTimes = new Histories<>(store, SERVICE_TIMES, budget, Baseline::decode);
        debts = new Histories<>(store, DEBTS, budget, Debt::decode);
        this.locked = locked;
        this.counts = counts;
    }

    /** Replaces the policies. */
    void policies(PolicySet set) {
        uncounted.policies(set);
    }

    /**
     * Adds a partial that was added to the subject's window.
     *
     * @param now broker time, or {@link io.sluice.contract.lock.BrokerClock#UNKNOWN}
     */
    void add(
            Policy policy,
            DetectedPolicy.DetectedRule rule,
            UsageKey key,
            HotWindow window,
            UsagePartial partial,
            Windows windows,
            long now) {
        long time = partial.newestTime();
        long uncountedUntil = rule.spikes.isEmpty()
                ? Long.MIN_VALUE
                : uncounted.until(key, policy, partial.origin().task(), time, now);
        for (Spike spike : rule.spikes) {
            Baseline baseline = usual.change(key(spike, key), time, () -> new Baseline(1));
            if (uncountedUntil != Long.MIN_VALUE && baseline.newest() != Baseline.NEVER) {
                baseline.skip(spike.span, uncountedUntil);
            }
            if (locked.test(key)) {
                baseline.skip(spike.span, time);
            } else if (window.shape().distinct()) {
                addWindow(baseline.newest(), spike, key, window, partial, windows);
            } else {
                baseline.add(spike.span, time, partial.admitted());
            }
        }
        if (rule.timed) {
            serviceTimes
                    .change(key, time, () -> new Baseline(ServiceTimes.SUMS))
                    .add(rule.serviceSpan, time, partial.micros(), partial.admittedCount());
        }
        DebtDetector owing = rule.owing;
        // rejected requests after days of silence are no new debt: the former one stays unknown
        if (owing != null && (partial.admitted() > 0 || debts.find(key, time) != null)) {
            debts.change(key, time, Debt::new)
                    .add(
                            owing.drain,
                            partial.pane(),
                            partial.admitted(),
                            window.shape().latePanes());
        }
    }

    /** Numbers of distinct values cannot be added, so a window is added as a whole when it is over. */
    private void addWindow(
            long last, Spike spike, UsageKey key, HotWindow window, UsagePartial partial, Windows windows) {
        int panes = window.shape().panes();
        long time = partial.newestTime();
        if (last != Baseline.NEVER && Math.floorDiv(partial.pane(), (long) panes) > last) {
            long lastPane = (last + 1) * panes - 1;
            long count = windows.at(key, window.shape(), lastPane).admitted(lastPane);
            // looked up once more: the window that was looked at may have made room for itself
            usual.change(key(spike, key), time, () -> new Baseline(1))
                    .add(spike.span, lastPane * window.shape().window().paneMillis(), count);
        }
        usual.change(key(spike, key), time, () -> new Baseline(1)).pass(spike.span, time);
    }

    /** Returns the usual sum of a window; {@code null} while too few windows have been seen. */
    @Nullable
    Double usual(Spike spike, UsageKey key, long time) {
        Baseline baseline = usual.find(key(spike, key), time);
        if (baseline == null || !baseline.known(spike.span)) {
            counts.add(Count.ABSTAINED);
            return null;
        }
        return baseline.at(spike.span, time) ? baseline.usual(spike.span, 0) : null;
    }

    /** Returns the key of a baseline: each length has one of its own. */
    static UsageKey key(Spike spike, UsageKey key) {
        List<String> values = new ArrayList<>(key.subject().size() + 1);
        values.add(Quantities.durationText(spike.condition.baselineMillis()));
        values.addAll(key.subject());
        return new UsageKey(key.policyRevision(), values);
    }

    /** Returns a subject's service time and requests of a usual window, in the order of {@link ServiceTimes}. */
    double[] serviceTimes(Baseline.Span span, UsageKey key, long time) {
        Baseline baseline = serviceTimes.find(key, time);
        return baseline == null ? new double[ServiceTimes.SUMS] : ServiceTimes.raw(baseline, span, time);
    }

    /** Returns a subject's debt at a time, in the measure's smallest unit. */
    double debt(DebtDetector owing, UsageKey key, long time) {
        Debt debt = debts.find(key, time);
        return debt == null ? 0 : debt.level(owing.drain, time);
    }

    /** Returns the same, and keeps it for two more days; NaN where nothing is known of the subject. */
    double keptDebt(DebtDetector owing, UsageKey key, long time) {
        Debt debt = debts.keep(key, time);
        return debt == null ? Double.NaN : debt.level(owing.drain, time);
    }

    /** Writes what has changed since the last flush. */
    public void flush() {
        usual.flush();
        serviceTimes.flush();
        debts.flush();
    }

    /** Discards all state in heap. */
    public void discard() {
        usual.discard();
        serviceTimes.discard();
        debts.discard();
    }
}
