package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.analyzer.detect.Detection;
import io.sluice.analyzer.detect.DetectorState;
import io.sluice.analyzer.history.Baseline;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.load.LoadTotals;
import io.sluice.analyzer.top.Top;
import io.sluice.analyzer.top.TopSubjects;
import io.sluice.analyzer.window.Histories;
import io.sluice.analyzer.window.WindowStore;
import io.sluice.analyzer.window.Windows;
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
 * Everything that happens to one partition of usage: windows, loads, detection and the life of its gate locks. It is driven
 * from outside, by records and by ticks, and knows no clock: {@code now} is broker time, or {@link BrokerClock#UNKNOWN}, at
 * which nothing opens and no lock moves. One thread. After {@link #discard} it must {@link #begin} again.
 */
public final class UsageTask implements AutoCloseable {
    /** What the keys of subjects' windows begin with. */
    public static final char WINDOWS = 's';

    private static final String NAME = "decide-";
    private static final long STALE_MILLIS = 2_000;

    private final TaskSettings settings;
    private final TaskBudget budget;
    private final Windows subjectWindows;
    private final Windows groupWindows;
    private final Histories<Baseline> groupTimes;
    private final DetectorState memory;
    private final LoadTotals totals;
    private final LoadBook.Changes loadChanges;
    private final LoadSink loadSink;
    private final LoadBook loads;
    private final Detection detection;
    private final Epochs epochs;
    private final NewestBlock newestBlock;
    private final Guard guard;
    private final LeaseBook book;
    private final Leases leases;
    private final Counts counts;
    private final TopSubjects top = new TopSubjects();
    private long epoch;
    private long seq;
    private long lastTick = BrokerClock.UNKNOWN;

    /**
     * @param windows where windows outlive the heap
     * @param state where leases and epochs do
     * @param heap what the state of all tasks of the process may take; the task has its part until it is closed
     * @param loads the newest load of every group, shared by all tasks of a process
     * @param locks where gate locks are published
     * @param loadSink where the loads of this task's groups are published
     */
    public UsageTask(
            TaskSettings settings,
            WindowStore windows,
            LeaseStore state,
            HeapBudget heap,
            LoadBook loads,
            LockSink locks,
            LoadSink loadSink,
            Counts counts) {
        this.settings = settings;
        this.counts = counts;
        this.loadSink = loadSink;
        this.loads = loads;
        budget = heap.join();
        long slack = settings.lateness() + settings.skew();
        subjectWindows = new Windows(windows, WINDOWS, budget);
        groupWindows = new Windows(windows, 'g', budget);
        groupTimes = new Histories<>(windows, 'h', budget, Baseline::decode);
        totals = new LoadTotals(groupWindows, groupTimes, slack, settings.meters(), loads, this::owns, budget, counts);
        memory = new DetectorState(windows, budget, this::locked, counts);
        detection = new Detection(subjectWindows, memory, loads, slack, budget, counts);
        epochs = new Epochs(state);
        newestBlock = new NewestBlock(state);
        guard = new Guard(settings.task(), settings.partitions());
        book = new LeaseBook(state, locks, budget, this::version);
        leases = new Leases(book, state, guard, settings, counts);
        loadChanges = loads.changes();
    }

    private boolean owns(UsageKey group) {
        return Partitions.of(group.partitionKey(), settings.partitions()) == settings.task();
    }

    private boolean locked(UsageKey key) {
        return leases.locked(key);
    }

    private Version version() {
        return new Version(NAME + settings.task(), epoch, seq++);
    }

    /** The highest epoch of the task's earlier lives that its state knows, or {@link Epoch#NONE}. */
    public long storedEpoch() {
        return epochs.own();
    }

    /** Starts a new life with the leases that the last one left. Comes before everything else. */
    public void begin(long newEpoch) {
        long newestStart = newestBlock.begin(epochs.own() == Epoch.NONE);
        subjectWindows.begin(newestStart);
        groupWindows.begin(newestStart);
        epochs.own(newEpoch);
        epoch = newEpoch;
        seq = 0;
        leases.restore();
    }

    /** From now on decides by these policies; what that means for locks follows at the next tick. */
    public void policies(PolicySet set) {
        detection.policies(set);
        totals.policies(set);
        guard.policies(set);
        top.policies(set);
        leases.policies(set);
    }

    /**
     * Takes note of what an operator said about any subject; what that means for locks follows at the next tick.
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

    /** Adds a partial sum of a subject or of a load. */
    public void partial(UsageKey key, UsagePartial partial, long now) {
        if (!epochs.current(partial.origin())) {
            counts.add(Count.OLDER_EPOCH);
        } else if (partial.load()) {
            totals.partial(key, partial);
        } else {
            if (partial.admittedCount() > 0) {
                guard.seen(key.policyRevision(), key.subject(), partial.newestTime());
            }
            top.add(key, partial);
            detection.partial(key, partial, now, leases::finding);
        }
    }

    /** Takes note of how far a meter has read. */
    public void position(MeterPosition position) {
        if (epochs.current(position.origin())) {
            totals.position(position);
        } else {
            counts.add(Count.OLDER_EPOCH);
        }
    }

    /** Publishes loads, asks again where a load has changed, and looks after the locks. Every few milliseconds. */
    public void tick(long now) {
        lastTick = now;
        totals.publish(loadSink);
        loadChanges.drain((group, load) -> detection.load(group, load.asOf(), now, leases::finding));
        leases.tick(now, demand(now));
    }

    /** Demand is judged where all meters have arrived, and not at all while they lag behind or are silent. */
    private Demand demand(long now) {
        long asOf = totals.asOf();
        if (asOf == LoadTotals.UNKNOWN || now == BrokerClock.UNKNOWN || now - asOf > STALE_MILLIS) {
            return Demand.UNKNOWN;
        }
        return new DetectedDemand(detection, asOf, now);
    }

    /**
     * The task's next sign of life.
     *
     * @param instance the analyzer instance that runs the task
     * @param wallClock epoch milliseconds, for people
     * @param liveAgents how many agents of each service are alive
     */
    public AnalyzerHeartbeat heartbeat(String instance, long wallClock, Map<String, Integer> liveAgents) {
        return new AnalyzerHeartbeat(
                version(),
                instance,
                wallClock,
                liveAgents,
                guard.active(lastTick),
                book.enforced(),
                counts.of(Count.NO_ROOM) + loads.leftOut());
    }

    /** Takes note of the newest sign of life of a decide task, for the guard. */
    public void heard(AnalyzerHeartbeat heartbeat) {
        String name = heartbeat.version().task();
        if (name.matches(NAME + "[0-9]{1,9}")) {
            guard.heard(Integer.parseInt(name.substring(NAME.length())), heartbeat, lastTick);
        }
    }

    /** Who asks for most, as of the last tick. A copy of some thousand numbers: for once a second. */
    public Top top() {
        return top.at(lastTick);
    }

    /** How many locks of each policy are held and not released. */
    public Map<String, HeldLocks> held() {
        return book.held();
    }

    /** How many locks are held and not released. */
    public int locks() {
        return book.size(lease -> !lease.released());
    }

    /** The broker time at which the passing of time alone may change a lock, {@link Long#MAX_VALUE} for never. */
    public long nextDue(long now) {
        return leases.nextDue(now);
    }

    /** Writes behind what changed. */
    public void flush() {
        subjectWindows.flush();
        groupWindows.flush();
        groupTimes.flush();
        memory.flush();
        epochs.flush();
        newestBlock.flush(Math.max(subjectWindows.newestStart(), groupWindows.newestStart()));
    }

    /** Forgets all that is in heap. */
    public void discard() {
        detection.discard();
        totals.discard();
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
