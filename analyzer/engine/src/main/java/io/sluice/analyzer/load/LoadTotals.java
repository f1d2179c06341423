package io.sluice.analyzer.load;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.analyzer.history.Baseline;
import io.sluice.analyzer.window.Histories;
import io.sluice.analyzer.window.HotWindow;
import io.sluice.analyzer.window.Shape;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Adds up the load partials of the groups that a task owns, and tracks how complete the totals are: a load is as of the
 * least position that all meters have read up to. One thread.
 *
 * <p>A group is published when that position has moved on, until it has passed the group's newest event, and when
 * something of a time that it has already passed is added; then it is settled.
 */
public final class LoadTotals {
    /** No position yet from one meter at least. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** How long the load of a policy that is not in force is kept: its window may be any. */
    private static final long LONGEST_WINDOW_MILLIS = 24 * 3_600_000L;

    /** For {@link #positions}: every position is to be used. */
    public static final IntPredicate ALL = any -> true;

    private static final MeterPositions.Snapshot NONE = new MeterPositions().snapshot();

    private final Windows windows;
    private final Histories<Baseline> serviceTimes;
    private final long slackMillis;
    private final int meters;
    private final TaskBudget budget;
    private final Counts counts;
    private final Map<Integer, Long> positions = new HashMap<>();
    private final Map<UsageKey, Shape> unsettled = new HashMap<>();
    /** Unsettled groups whose published load a late event added to. */
    private final Set<UsageKey> amended = new HashSet<>();

    private final PublishedLoads published;
    private final Map<UsageKey, Long> watches = new HashMap<>();
    private final Groupings groupings = new Groupings();
    private Map<String, Shape> shapes = Map.of();
    /** Of the policies that look at service times, the span of what is usual. */
    private Map<String, Baseline.Span> timed = Map.of();

    /** Positions that meters wrote for all decide tasks together, beside those of this partition. */
    private MeterPositions.Snapshot shared = NONE;

    private IntPredicate sharedCurrent = ALL;
    /** Whether a position came since {@link #asOf} was determined. */
    private boolean moved;

    private long asOf = UNKNOWN;
    private long publishedAsOf = UNKNOWN;

    /**
     * @param serviceTimes how long requests used to take
     * @param slackMillis how late an event may come and how far ahead of the broker's clock
     * @param meters how many meters there are
     * @param book the loads of all tasks, as read from the topic
     * @param owned whether a group belongs to this task
     * @param budget pays for the groups
     */
    public LoadTotals(
            Windows windows,
            Histories<Baseline> serviceTimes,
            long slackMillis,
            int meters,
            LoadBook book,
            Predicate<UsageKey> owned,
            TaskBudget budget,
            Counts counts) {
        published = new PublishedLoads(book, owned, budget);
        this.budget = budget;
        this.windows = windows;
        this.serviceTimes = serviceTimes;
        this.slackMillis = slackMillis;
        this.meters = meters;
        this.counts = counts;
    }

    public void policies(PolicySet set) {
        Map<String, Shape> known = new HashMap<>();
        Map<String, Baseline.Span> spans = new HashMap<>();
        for (Policy policy : set.policies()) {
            known.put(policy.revision(), Shape.of(policy, slackMillis));
            if (policy.timed()) {
                spans.put(policy.revision(), ServiceTimes.span(policy));
            }
        }
        shapes = known;
        timed = spans;
        groupings.policies(set);
    }

    /**
     * Adds a part of a load. While the budget is used up, further groups are not published, which is counted. They are added up all the same:
     * once there is room, their loads are complete.
     */
    public void partial(UsageKey group, UsagePartial partial) {
        Shape shape = shapes.get(group.policyRevision());
        if (shape == null) {
            counts.add(Count.UNKNOWN_REVISION);
            return;
        }
        windows.add(group, shape, partial);
        // a late event does not show when counting began anew
        groupings.counted(group, Math.max(partial.firstTime(), asOf));
        Baseline.Span span = timed.get(group.policyRevision());
        if (span != null) {
            long time = partial.newestTime();
            serviceTimes
                    .change(group, time, () -> new Baseline(ServiceTimes.SUMS))
                    .add(span, time, partial.micros(), partial.admittedCount());
        }
        if (!unsettled.containsKey(group)) {
            if (!published.contains(group) && !budget.take(Account.GROUPS, PublishedLoads.bytes(group))) {
                counts.add(Count.NO_ROOM, Account.GROUPS.label());
                return;
            }
            unsettled.put(group, shape);
        }
        if (partial.firstTime() <= asOf) {
            amended.add(group);
        }
    }

    /** Notes how far a meter has read. */
    public void position(MeterPosition position) {
        positions.merge(position.origin().task(), position.position(), Math::max);
        moved = true;
    }

    /**
     * Notes how far all meters have read.
     *
     * @param current whether the position of a meter in it is to be used; {@link #ALL} costs least
     */
    public void positions(MeterPositions.Snapshot newest, IntPredicate current) {
        shared = newest;
        sharedCurrent = current;
        moved = true;
    }

    /** The least position that all meters have read up to, or {@link #UNKNOWN}. */
    public long asOf() {
        if (moved) {
            moved = false;
            asOf = Math.max(asOf, least());
        }
        return asOf;
    }

    private long least() {
        if (positions.isEmpty() && sharedCurrent == ALL) {
            return shared.least(meters);
        }
        long least = Long.MAX_VALUE;
        for (int meter = 0; meter < meters && least != UNKNOWN; meter++) {
            least = Math.min(least, position(meter));
        }
        return least;
    }

    private long position(int meter) {
        long together = sharedCurrent.test(meter) ? shared.position(meter) : UNKNOWN;
        long own = positions.isEmpty() ? UNKNOWN : positions.getOrDefault(meter, UNKNOWN);
        return Math.max(own, together);
    }

    /** Returns whether a partial has events of a time up to which its meter had already read: loads of that time need not have them. */
    public boolean late(UsagePartial partial) {
        return partial.firstTime() <= position(partial.origin().task());
    }

    /**
     * Asks all meters to hold nothing of a subject back.
     *
     * @param end of the watch, epoch milliseconds
     */
    public void watch(UsageKey subject, long end) {
        watches.put(WatchKeys.of(subject), end);
    }

    /** Publishes the loads that changed and the watches that were added since the last time. */
    public void publish(LoadSink sink) {
        asOf();
        watches.forEach((key, end) -> publish(key, end, sink));
        watches.clear();
        if (asOf != publishedAsOf) {
            publishedAsOf = asOf;
            unsettled.entrySet().removeIf(entry -> settled(entry.getKey(), entry.getValue(), sink));
            published.sweep(asOf, this::spanMillis, unsettled::containsKey, sink);
        } else {
            amended.forEach(group -> {
                Shape shape = unsettled.get(group);
                if (shape != null && settled(group, shape, sink)) {
                    unsettled.remove(group);
                }
            });
        }
        amended.clear();
    }

    private void publish(UsageKey watch, long end, LoadSink sink) {
        if (end < 0) {
            return;
        }
        if (!published.contains(watch) && !budget.take(Account.GROUPS, PublishedLoads.bytes(watch))) {
            counts.add(Count.NO_ROOM, Account.GROUPS.label());
        } else {
            sink.load(watch, WatchKeys.until(end));
            published.add(watch, end);
        }
    }

    /** Publishes a group; returns whether its newest event was reached, so that it is settled. */
    private boolean settled(UsageKey group, Shape shape, LoadSink sink) {
        HotWindow window = windows.at(group, shape, shape.window().paneOf(asOf));
        sink.load(group, load(group, window));
        published.add(group, window.newestTime() + spanMillis(group));
        return window.newestTime() <= asOf;
    }

    private Load load(UsageKey group, HotWindow window) {
        Shape shape = window.shape();
        // one pane more than a window, for detectors that use complete panes only
        int length = shape.panes() + 1;
        long firstPane = shape.window().paneOf(asOf) - shape.panes();
        long[] admitted = new long[length];
        long[] admittedCount = new long[length];
        long[] rejectedCount = new long[length];
        long[] micros = new long[length];
        window.copyPanes(firstPane, admitted, admittedCount, rejectedCount, micros);
        Baseline.Span span = timed.get(group.policyRevision());
        Load.Service service = span == null ? null : service(group, span, micros);
        long since = Math.max(window.since(), groupings.since(group, shape.window()));
        return new Load(firstPane, admitted, admittedCount, rejectedCount, since, asOf, service);
    }

    private Load.Service service(UsageKey group, Baseline.Span span, long[] micros) {
        Baseline baseline = serviceTimes.find(group, asOf);
        if (baseline == null) {
            return new Load.Service(micros, 0, 0);
        }
        double[] usual = ServiceTimes.raw(baseline, span, asOf);
        boolean known = baseline.known(span);
        return new Load.Service(micros, known ? usual[ServiceTimes.MICROS] : 0, known ? usual[ServiceTimes.COUNT] : 0);
    }

    /** How long after its newest event, or its position, a group's load is of use. */
    private long spanMillis(UsageKey group) {
        if (WatchKeys.is(group)) {
            return 0;
        }
        Shape shape = shapes.get(group.policyRevision());
        return (shape == null ? LONGEST_WINDOW_MILLIS : shape.window().millis()) + slackMillis;
    }

    /** Discards all state in heap. */
    public void discard() {
        windows.discard();
        serviceTimes.discard();
        positions.clear();
        shared = NONE;
        moved = false;
        unsettled.keySet().stream()
                .filter(group -> !published.contains(group))
                .forEach(group -> budget.add(Account.GROUPS, -PublishedLoads.bytes(group)));
        unsettled.clear();
        amended.clear();
        published.discard();
        watches.clear();
        asOf = UNKNOWN;
        publishedAsOf = UNKNOWN;
    }
}
