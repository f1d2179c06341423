package io.sluice.analyzer.replay;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.decide.InMemoryLeaseStore;
import io.sluice.analyzer.decide.TaskSettings;
import io.sluice.analyzer.decide.UsageTask;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.load.WatchKeys;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.meter.Meter;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import java.util.List;

/**
 * The analyzer's rules without Kafka: one meter and one decision task. The clock is the events' own time, or the time at
 * which they were appended where that is known. After each event everything is as if the rest of the log did not exist yet.
 * Confined to one thread.
 */
public final class ReplayEngine implements AutoCloseable {
    private static final long EPOCH = 1;
    // as the analyzer commits: what was flushed can leave the heap
    private static final int COMMIT_EVENTS = 50_000;
    // as the analyzer sends them
    private static final long ACTIVE_MILLIS = 1_000;

    // as the analyzer's settings are by default
    private static final EventTimes TIMES = new EventTimes(5_000, 60_000);

    private final Meter meter;
    private final Counts counts = new Counts();
    private final LockJournal journal = new LockJournal();
    private final InMemoryWindowStore windows = new InMemoryWindowStore();
    private final Allowance allowance;
    private final UsageTask task;
    private final LoadBook.Changes watches;
    private long now = Long.MIN_VALUE;
    private long lastActive;

    public ReplayEngine(PolicySet policies) {
        this(policies, Allowance.ofHeap());
    }

    ReplayEngine(PolicySet policies, Allowance allowance) {
        this.allowance = allowance;
        HeapBudget heap = HeapBudget.ofHeap(allowance.bounds().heap());
        LoadBook book = new LoadBook(heap);
        meter = new Meter(0, 1, TIMES, heap, counts);
        watches = book.changes(WatchKeys::is);
        task = new UsageTask(
                TaskSettings.of(0, 1, 1),
                windows,
                new InMemoryLeaseStore(),
                heap,
                book,
                journal,
                intoTheBook(book),
                counts);
        meter.begin(EPOCH);
        task.begin(EPOCH);
        meter.policies(policies);
        task.policies(policies);
    }

    /** Replaces the loads topic between tasks. */
    private static LoadSink intoTheBook(LoadBook book) {
        return new LoadSink() {
            @Override
            public void load(UsageKey group, Load load) {
                book.accept(group, load);
            }

            @Override
            public void gone(UsageKey group) {
                book.forget(group);
            }
        };
    }

    /**
     * Counts an event at its own time, which is the clock: nothing is late, and no time is corrected.
     *
     * @throws IllegalArgumentException when it is older than the one before it
     */
    public void add(RequestEvent event) {
        if (event.time() < now) {
            throw new IllegalArgumentException("an event of " + event.time() + " after one of " + now);
        }
        passTo(event.time());
        count(event);
    }

    /**
     * Counts an event as the live analyzer does, with the time of its append as the clock: a time from the future becomes
     * the append time, a late event is not counted, and nothing opens on events of a backlog. The clock never goes back,
     * even where an append does.
     *
     * @param append when the event was appended to the log, epoch milliseconds
     */
    public void add(RequestEvent event, long append) {
        passTo(Math.max(now, append));
        long time = TIMES.of(event.time(), append);
        if (time == EventTimes.LATE) {
            counts.add(Count.LATE);
            tick();
        } else {
            count(time == event.time() ? event : event.at(time));
        }
    }

    /** Lets everything follow that follows from an event. */
    private void count(RequestEvent event) {
        counts.add(Count.EVENTS);
        meter.add(event);
        meter.drainAll((key, partial) -> task.partial(key, partial, now));
        if (now - lastActive >= ACTIVE_MILLIS) {
            lastActive = now;
            meter.drainActive((key, partial) -> task.partial(key, partial, now));
        }
        tick();
        if (counts.of(Count.EVENTS) % COMMIT_EVENTS == 0) {
            task.flush();
            allowance.heap(windows.bytes());
        }
    }

    /** Lets time pass, so that locks are renewed and end between events. */
    private void passTo(long time) {
        if (now == Long.MIN_VALUE) {
            now = time;
        }
        // the clock always moves on, even where a timer is due at once
        long due = Math.max(task.nextDue(now), now + 1);
        while (due <= time) {
            allowance.time();
            now = due;
            tick();
            due = Math.max(task.nextDue(now), now + 1);
        }
        now = time;
    }

    /** The meter has read all that was appended until now, even when that is nothing. */
    private void tick() {
        journal.now(now);
        task.position(meter.position(now));
        task.tick(now);
        watches.drain((key, watch) -> meter.watch(WatchKeys.subject(key), watch.asOf()));
    }

    /** How many events were too late to be counted. */
    public long late() {
        return counts.of(Count.LATE);
    }

    /** All locks so far, in the order in which they opened. */
    public List<ReplayLock> locks() {
        return journal.locks();
    }

    /** Returns the locks as they come and go. */
    LockJournal journal() {
        return journal;
    }

    @Override
    public void close() {
        watches.close();
        task.close();
    }
}
