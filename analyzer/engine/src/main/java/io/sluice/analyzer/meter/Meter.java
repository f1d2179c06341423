package io.sluice.analyzer.meter;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.load.ActiveTotals;
import io.sluice.analyzer.load.WatchKeys;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import java.util.List;

/**
 * Adds up request events for every policy that matches them: one partial sum for each subject and pane, and one for each
 * group and pane where a policy asks for shares. Sums wait in heap until they are drained, so that a busy caller becomes a
 * few records however many requests it makes. Subjects that are too small to matter are held back: {@link QuietSubjects}. One thread; it
 * must be drained before the events are committed.
 */
public final class Meter implements AutoCloseable {
    private final int task;
    private final int requestPartitions;
    private final int claimedSpread;
    private int callerSpread;
    private final TaskBudget budget;
    private final MeteredGroups grouping;
    private final PendingSums sums = new PendingSums();
    private MeteredGroup[] groups = {};
    private PolicySet set = new PolicySet(true, List.of(), PolicySet.Guard.DEFAULT, List.of(), "");
    /** The groups that count the current event. */
    private MeteredGroup[] matching = {};
    /** Keeps the JIT compiler from removing the loads of {@link #prefetch}. */
    @SuppressWarnings("UnusedVariable")
    private long prefetched;

    private Origin origin;
    private long seq;
    private long pending;

    /**
     * @param task the partition of the requests topic that is read
     * @param requestPartitions how many there are
     * @param callerSpread the most meters that can count requests of one caller, 1 to {@code requestPartitions}
     * @param times how late an event may come and how far ahead
     * @param heap pays for the subjects that are held back
     * @param counts counts events for which there was no room
     * @param hash of different values and active subjects; that of all meters
     */
    public Meter(
            int task,
            int requestPartitions,
            int callerSpread,
            EventTimes times,
            HeapBudget heap,
            Counts counts,
            DistinctHash hash) {
        if (requestPartitions < 1) {
            throw new IllegalArgumentException("request partitions: " + requestPartitions + ", at least 1");
        }
        if (callerSpread < 1 || callerSpread > requestPartitions) {
            throw new IllegalArgumentException("caller spread: " + callerSpread + ", 1 to " + requestPartitions);
        }
        this.task = task;
        claimedSpread = callerSpread;
        this.callerSpread = callerSpread;
        this.requestPartitions = requestPartitions;
        budget = heap.join(HeapBudget.Kind.METER);
        long slackMillis = times.skewMillis() + times.latenessMillis();
        MeteredGroups.Rooms rooms = new MeteredGroups.Rooms(
                new MeterRoom(budget, Account.METERS, counts), new MeterRoom(budget, Account.WATCHES, counts));
        grouping = new MeteredGroups(requestPartitions, slackMillis, rooms, hash);
        this.origin = new Origin(task, 0);
    }

    /** A meter with a hash that has no key. */
    public Meter(int task, int requestPartitions, int callerSpread, EventTimes times, HeapBudget heap, Counts counts) {
        this(task, requestPartitions, callerSpread, times, heap, counts, DistinctHash.UNKEYED);
    }

    /** A meter that assumes that a caller's requests can lie in every partition. */
    public Meter(int task, int requestPartitions, EventTimes times, HeapBudget heap, Counts counts) {
        this(task, requestPartitions, requestPartitions, times, heap, counts);
    }

    /** Replaces the policies. What was counted before still leaves under the old ones, except what is held back of policies that have changed. */
    public void policies(PolicySet newSet) {
        groups = grouping.of(newSet, callerSpread, groups);
        matching = new MeteredGroup[groups.length];
        set = newSet;
    }

    /** Starts a new epoch, empty. */
    public void begin(long epoch) {
        discard();
        origin = new Origin(task, epoch);
        seq = 0;
    }

    /** Counts an event at its time. */
    public void add(RequestEvent event) {
        pending++;
        int matched = 0;
        for (MeteredGroup group : groups) {
            if (group.matches(event) && group.setSubject(event)) {
                matching[matched++] = group;
            }
        }
        if (matched == 0) {
            return;
        }
        boolean allowed = set.allows(event, event.time());
        if (!allowed) {
            prefetch(matched);
        }
        for (int i = 0; i < matched; i++) {
            MeteredGroup group = matching[i];
            long[] amounts = group.amounts(event);
            long counted = allowed || !group.believes(event) ? 0 : counted(group, event, amounts);
            sums.add(group, counted, group.subject(), event, amounts);
        }
    }

    /** Turns to the subjects of all groups, and prefetches their entries one after the other, so that the cache misses overlap. */
    private void prefetch(int matched) {
        for (int i = 0; i < matched; i++) {
            Withheld held = matching[i].withheld;
            if (held != null) {
                held.setSubject(matching[i].subject());
            }
        }
        for (int i = 0; i < matched && matched > 1; i++) {
            Withheld held = matching[i].withheld;
            if (held != null) {
                prefetched += held.prefetch();
            }
        }
    }

    /** Returns the policies for which the event is not held back. What was held back of a subject that becomes loud is counted. */
    private long counted(MeteredGroup group, RequestEvent event, long[] amounts) {
        Withheld held = group.withheld;
        if (held == null) {
            return group.all();
        }
        long counted = held.add(group, event, amounts);
        release(group, held.quiet(), group.subject());
        return counted;
    }

    private void release(MeteredGroup group, QuietSubjects quiet, String[] released) {
        if (quiet.released() != 0) {
            sums.release(group, quiet.released(), released, quiet.cells(), quiet.firstCell());
            quiet.clear(group.marks);
        }
    }

    /** From now on, a caller's requests can lie in every partition: one was reported by more meters than the sources claim. */
    private void distrustSpread() {
        if (callerSpread < requestPartitions) {
            callerSpread = requestPartitions;
            policies(set);
        }
    }

    /** Returns whether the sources' claim of a spread was found to be wrong. */
    public boolean spreadExceeded() {
        return callerSpread != claimedSpread;
    }

    /**
     * Holds nothing of a subject back for a time: one that others count, too, may be over.
     *
     * @param key of the subject, in any policy of this or of former policies
     * @param until epoch milliseconds
     */
    public void watch(UsageKey key, long until) {
        if (key.equals(WatchKeys.spread(claimedSpread))) {
            distrustSpread();
            return;
        }
        for (MeteredGroup group : groups) {
            Withheld held = group.withheld;
            long policy = group.policy(key.policyRevision());
            if (held != null
                    && policy != 0
                    && group.subjectSize() == key.subject().size()) {
                String[] values = key.subject().toArray(String[]::new);
                held.watch(group, policy, values, until);
                release(group, held.quiet(), values);
            }
        }
    }

    /** Number of subjects that are known as quiet or loud, in all groups of policies; some twice. */
    public int known() {
        int known = 0;
        for (MeteredGroup group : groups) {
            known += group.withheld == null ? 0 : group.withheld.quiet().size();
        }
        return known;
    }

    /** Number of subjects that decide tasks watch here, in all groups of policies. */
    public int watched() {
        int watched = 0;
        for (MeteredGroup group : groups) {
            watched += group.withheld == null
                    ? 0
                    : group.withheld.quiet().watches().size();
        }
        return watched;
    }

    /**
     * Drains the sums that hold a good part of a threshold, with the loads they are part of.
     *
     * @return whether all loads were drained, too, so that a {@link #position} may follow
     */
    public boolean drainHeavy(PartialSink sink) {
        return sums.drainHeavy(sum -> send(sum, sink));
    }

    /** Drains the numbers of active subjects, as far as they have changed. To be called about once a second. */
    public void drainActive(PartialSink sink) {
        for (MeteredGroup group : groups) {
            Withheld held = group.withheld;
            if (held != null) {
                held.active().drain(report -> {
                    for (MeteredPolicy policy : group.policies) {
                        sink.partial(ActiveTotals.key(policy.revision), held.partial(report, origin, seq++));
                    }
                });
            }
        }
    }

    /** Drains everything that is not held back. */
    public void drainAll(PartialSink sink) {
        sums.drainAll(sum -> send(sum, sink));
        pending = 0;
        account();
    }

    /** Drains everything that is not held back, when it takes all of the heap that it may. To be called after each event. */
    public void drainFull(PartialSink sink) {
        if (sums.bytes() > budget.used(Account.SUMS)) {
            account();
            if (!budget.hasRoom(Account.SUMS, 0)) {
                sums.drainAll(sum -> send(sum, sink));
                account();
            }
        }
    }

    private void account() {
        budget.add(Account.SUMS, sums.bytes() - budget.used(Account.SUMS));
    }

    private void send(Sum sum, PartialSink sink) {
        for (long rest = sum.policies; rest != 0; rest &= rest - 1) {
            int policy = Long.numberOfTrailingZeros(rest);
            sink.partial(sum.key(policy), sum.partial(policy, origin, seq++));
        }
    }

    /** Discards everything that was not drained, and what is held back. */
    public void discard() {
        for (MeteredGroup group : groups) {
            if (group.withheld != null) {
                group.withheld.quiet().discard();
            }
        }
        sums.discard();
        pending = 0;
        account();
    }

    /** How many events were added since {@link #drainAll}. */
    public long pending() {
        return pending;
    }

    /**
     * Returns the record of how far this meter has read, to be sent after all partials.
     *
     * @param append append time of the newest event read, or of the end of the log, epoch milliseconds
     */
    public MeterPosition position(long append) {
        return new MeterPosition(append, origin, seq++);
    }

    @Override
    public void close() {
        discard();
        budget.close();
    }
}
