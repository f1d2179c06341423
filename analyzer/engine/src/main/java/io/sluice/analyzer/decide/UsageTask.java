package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.analyzer.detect.Detection;
import io.sluice.analyzer.detect.DetectorState;
import io.sluice.analyzer.detect.Watches;
import io.sluice.analyzer.load.ActiveTotals;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.load.LoadTotals;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.analyzer.load.WatchKeys;
import io.sluice.analyzer.top.Top;
import io.sluice.analyzer.top.TopSubjects;
import io.sluice.analyzer.window.WindowStore;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.List;
import java.util.Map;

/**
 * Processes one partition of usage: windows, loads, detection and the life cycle of gate locks. It is driven by records and ticks and
 * reads no clock: {@code now} is broker time, or {@link BrokerClock#UNKNOWN}, at which nothing opens and no lock changes. Confined to one
 * thread. After {@link #discard} it must {@link #begin} again.
 */
public final class UsageTask implements AutoCloseable {
    /** The prefix of the keys of subjects' windows. */
    public static final char WINDOWS = 's';

    private static final long STALE_MILLIS = 2_000;

    private final TaskSettings settings;
    private final TaskBudget budget;
    private final TaskWindows windows;
    private final DetectorState memory;
    private final LoadTotals totals;
    private final ActiveTotals active;
    private final LoadBook.Changes loadChanges;
    private final LoadSink loadSink;
    private final Detection detection;
    private final Epochs epochs;
    private final Guard guard;
    private final LeaseBook book;
    private final Leases leases;
    private final Counts counts;
    private final TopSubjects top = new TopSubjects();
    private final SpreadCheck spread;
    private final TaskHeartbeats heartbeats = new TaskHeartbeats();
    private long epoch;
    private long seq;
    private long lastTick = BrokerClock.UNKNOWN;

    /**
     * @param windowStore the store of windows
     * @param state the store of leases and epochs
     * @param heap the bytes that the state of all tasks of the process may take; the task has its part until it is closed
     * @param loads the newest load of every group, shared by all tasks of a process
     * @param locks receives gate locks to publish
     * @param loadSink receives the loads of this task's groups to publish
     */
    public UsageTask(
            TaskSettings settings,
            WindowStore windowStore,
            LeaseStore state,
            HeapBudget heap,
            LoadBook loads,
            LockSink locks,
            LoadSink loadSink,
            Counts counts) {
        this.settings = settings;
        this.counts = counts;
        this.loadSink = loadSink;
        active = new ActiveTotals(loads);
        budget = heap.join(HeapBudget.Kind.DECIDE);
        long slack = settings.lateness() + settings.skew();
        windows = new TaskWindows(windowStore, state, budget);
        totals = new LoadTotals(
                windows.groups(), windows.groupTimes(), slack, settings.meters(), loads, this::owns, budget, counts);
        memory = new DetectorState(windowStore, budget, this::locked, counts);
        detection = new Detection(
                windows.subjects(),
                memory,
                loads,
                new Watches(settings.meters(), this::locked, totals::watch),
                slack,
                budget,
                counts);
        spread = new SpreadCheck(settings, totals, counts);
        epochs = new Epochs(state);
        guard = new Guard(settings.task(), settings.partitions(), loads);
        book = new LeaseBook(state, locks, budget, this::version);
        leases = new Leases(book, state, guard, settings, counts);
        loadChanges = loads.changes(group -> !WatchKeys.is(group));
    }

    private boolean owns(UsageKey group) {
        return Partitions.of(group.partitionKey(), settings.partitions()) == settings.task();
    }

    private boolean locked(UsageKey key) {
        return leases.locked(key);
    }

    private Version version() {
        return new Version(AnalyzerHeartbeat.TASK + settings.task(), epoch, seq++);
    }

    /** Returns the newest epoch in the stored state, or {@link Epoch#NONE}. */
    public long storedEpoch() {
        return epochs.own();
    }

    /** Begins an epoch with the leases of the last one. To be called before everything else. */
    public void begin(long newEpoch) {
        windows.begin(!epochs.any(), counts);
        epochs.restore(counts);
        epochs.own(newEpoch);
        epoch = newEpoch;
        seq = 0;
        leases.restore();
    }

    /** Replaces the policies; existing locks follow at the next tick. */
    public void policies(PolicySet set) {
        spread.policies(set);
        detection.policies(set);
        totals.policies(set);
        active.policies(set);
        guard.policies(set);
        top.policies(set);
        leases.policies(set);
    }

    /**
     * Adds an operator's record of any subject; existing locks follow at the next tick.
     *
     * @param appended when the broker appended the record, epoch milliseconds
     */
    public void operator(OperatorRecord said, long appended) {
        leases.operator(said, appended);
    }

    /** An operator's record was removed. */
    public void operatorGone(String policy, List<String> subject) {
        leases.operatorGone(policy, subject);
    }

    /** Adds a partial sum of a subject or of a load, or a meter's number of active subjects. */
    public void partial(UsageKey key, UsagePartial partial, long now) {
        if (!epochs.current(partial.origin())) {
            counts.add(Count.OLDER_EPOCH);
        } else if (ActiveTotals.is(key)) {
            active.add(key, partial);
        } else if (partial.load()) {
            totals.partial(key, partial);
        } else {
            if (partial.admittedCount() > 0) {
                guard.seen(key.policyRevision(), key.subject(), partial.newestTime());
            }
            spread.partial(key, partial, now);
            top.add(key, partial);
            detection.partial(key, partial, totals.late(partial), now, leases::finding);
        }
    }

    /**
     * Has the meters report all that they hold back of a subject, for a window; a subject of another task changes nothing.
     *
     * @param now broker time, epoch milliseconds
     * @return whether it is a subject of this task
     */
    public boolean watch(UsageKey key, long now) {
        boolean own = now != BrokerClock.UNKNOWN && owns(key);
        if (own) {
            detection.watch(key, now);
        }
        return own;
    }

    /** Records the position of a meter. */
    public void position(MeterPosition position) {
        if (epochs.current(position.origin())) {
            totals.position(position);
        } else {
            counts.add(Count.OLDER_EPOCH);
        }
    }

    /**
     * Takes the positions of all meters that they published together. To be called after every partial that was on the partition when the
     * snapshot was taken has been added.
     */
    public void positions(MeterPositions.Snapshot newest) {
        epochs.reached(newest);
        totals.positions(newest, epochs.current(newest) ? LoadTotals.ALL : meter -> epochs.current(newest, meter));
    }

    /** Publishes loads, evaluates subjects whose load has changed, and maintains locks. To be called every few milliseconds. */
    public void tick(long now) {
        lastTick = now;
        totals.publish(loadSink);
        active.publish(now, loadSink);
        loadChanges.drain((group, load) -> detection.load(group, load.asOf(), now, leases::finding));
        detection.passed(totals.asOf());
        leases.tick(now, demand(now));
    }

    /** Returns the demand as of the position that all meters have reached; unknown while one of them lags or is silent. */
    private Demand demand(long now) {
        long asOf = totals.asOf();
        if (asOf == LoadTotals.UNKNOWN || now == BrokerClock.UNKNOWN || now - asOf > STALE_MILLIS) {
            return Demand.UNKNOWN;
        }
        return new DetectedDemand(detection, asOf, now);
    }

    /**
     * Returns the task's next heartbeat.
     *
     * @param instance the analyzer instance that runs the task
     * @param wallClock epoch milliseconds, for people
     * @param liveAgents how many agents of each service are alive
     * @param agentsPart whether all agents accept heartbeats with a part of the services
     * @param positions whether {@link #positions} is called, so that meters need not write theirs to the partition
     * @param refused how many objects of the instance's state found no room in the heap
     */
    public AnalyzerHeartbeat heartbeat(
            String instance,
            long wallClock,
            Map<String, Integer> liveAgents,
            boolean agentsPart,
            boolean positions,
            long refused) {
        AnalyzerHeartbeat next = heartbeats.next(
                new AnalyzerHeartbeat(
                        version(),
                        instance,
                        wallClock,
                        liveAgents,
                        guard.active(lastTick),
                        book.enforced(),
                        refused,
                        positions,
                        false,
                        false),
                agentsPart);
        guard.sends(next, lastTick);
        return next;
    }

    /** Takes the counts of all decide tasks, for the guard. To be called about once a second. */
    public void fleet(FleetCounts.Snapshot counted) {
        guard.fleet(counted);
    }

    /** Returns the busiest subjects as of the last tick. Copies some thousand numbers: to be called about once a second. */
    public Top top() {
        return top.at(lastTick);
    }

    /** Returns the number of unreleased locks of each policy. */
    public Map<String, HeldLocks> held() {
        return book.held();
    }

    /** Returns the number of unreleased locks. */
    public int locks() {
        return book.size(lease -> !lease.released());
    }

    /** Returns the next broker time at which time alone may change a lock, {@link Long#MAX_VALUE} for never. */
    public long nextDue(long now) {
        return leases.nextDue(now);
    }

    /** Writes changed state to the stores. */
    public void flush() {
        windows.flush();
        memory.flush();
        epochs.flush();
    }

    /** Discards all state in heap. */
    public void discard() {
        spread.discard();
        detection.discard();
        totals.discard();
        active.discard();
        top.discard();
        epochs.discard();
        leases.discard();
    }

    @Override
    public void close() {
        discard();
        loadChanges.close();
        budget.close();
    }
}
