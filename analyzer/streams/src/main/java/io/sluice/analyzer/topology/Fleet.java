package io.sluice.analyzer.topology;

import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.decide.FleetCounts;
import io.sluice.analyzer.decide.TaskHeartbeats;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knowledge of one analyzer process about the fleet, from the topics it follows: policies, loads, operators, live agents,
 * the other analyzers' heartbeats and, by its own ones, the time. One thread writes it, all tasks read it. Thread-safe.
 */
public final class Fleet {
    private final HeapBudget heap = HeapBudget.ofHeap(Runtime.getRuntime().maxMemory());
    private final LoadBook loads = new LoadBook(heap);
    private final MeterPositions positions = new MeterPositions();
    /** The decide tasks that do not follow {@link #positions}. */
    private final Set<Integer> notFollowing = ConcurrentHashMap.newKeySet();

    private final OperatorFeed operators = new OperatorFeed();
    private final WatchRequests watchRequests;
    private final KillSwitches switches = new KillSwitches();
    private final LiveAgents agents = new LiveAgents();
    private final AtomicLong recordsRefused = new AtomicLong();
    private final BrokerClock clock = new BrokerClock();
    private final AtomicLong newest = new AtomicLong(Long.MIN_VALUE);
    private final Map<String, Long> epochs = new ConcurrentHashMap<>();
    private final Map<String, AnalyzerHeartbeat> heartbeats = new ConcurrentHashMap<>();
    private final FleetCounts counts = new FleetCounts();
    /** Confined to the thread that writes. */
    private final Map<String, WholeHeartbeats> parts = new HashMap<>();

    private final Map<String, Long> heardAt = new ConcurrentHashMap<>();
    private final Map<String, TaskClock> taskClocks = new ConcurrentHashMap<>();
    private volatile @Nullable PolicySet policies;
    private volatile boolean present;

    private @Nullable Census census;

    public Fleet() {
        this(System::nanoTime);
    }

    /** @param nanoTime the monotonic clock */
    Fleet(LongSupplier nanoTime) {
        watchRequests = new WatchRequests(nanoTime);
    }

    /**
     * The agents that were alive in a second, and the counts of all decide tasks.
     *
     * @param agents the number of agents by service
     * @param partsAccepted whether all of them accept heartbeats that name some of the services only
     */
    record Census(long second, Map<String, Integer> agents, boolean partsAccepted, FleetCounts.Snapshot counts) {}

    private record TaskClock(long epoch, BrokerClock clock) {}

    /** Swaps the policies; tasks take them at their next record or tick. */
    public void policies(PolicySet set) {
        policies = set;
        counts.policies(set);
    }

    /** The policies to go by, or {@code null} before any are known. */
    public @Nullable PolicySet policies() {
        return policies;
    }

    /** What the state of all tasks of the process may take of the heap. */
    public HeapBudget heap() {
        return heap;
    }

    public LoadBook loads() {
        return loads;
    }

    /** The positions that meters publish for all decide tasks together. */
    public MeterPositions positions() {
        return positions;
    }

    /**
     * Returns whether a decide task follows {@link #positions}; if not, meters write theirs to its partition of usage. A task without a heartbeat
     * is not running yet, and needs none.
     */
    boolean followsPositions(int task) {
        return !notFollowing.contains(task);
    }

    /** Returns whether all decide tasks do. */
    boolean allFollowPositions() {
        return notFollowing.isEmpty();
    }

    /**
     * An operator's word.
     *
     * @param record {@code null}: it is gone
     */
    void operator(List<String> key, @Nullable OperatorRecord record, long append) {
        operators.add(new OperatorFeed.Entry(key, record, append));
        switches.accept(key, record, append);
    }

    /** Where operators have switched enforcement off. */
    public KillSwitches switches() {
        return switches;
    }

    /** The subjects that people look at. */
    public WatchRequests watchRequests() {
        return watchRequests;
    }

    OperatorFeed operators() {
        return operators;
    }

    LiveAgents agents() {
        return agents;
    }

    /**
     * Returns the census of a second. Looking through all agents and tasks costs; so the tasks of a process, which ask in the same second, share
     * the answer.
     *
     * @param second of the process's monotonic clock
     * @param now broker time, epoch milliseconds, or {@link BrokerClock#UNKNOWN}
     */
    synchronized Census census(long second, long now) {
        Census known = census;
        if (known == null || known.second != second) {
            // a task that has just begun does not know the time
            long time = Math.max(now, newest.get());
            known = new Census(second, Map.copyOf(agents.alive(now)), agents.partsAccepted(), counts.at(time));
            census = known;
        }
        return known;
    }

    /** Marks the history as read: later records were written just now. */
    void present() {
        present = true;
    }

    /** A record of a decide task stands on its partition. */
    void wrote(Version version) {
        epochs.merge(version.task(), version.epoch(), Math::max);
    }

    /** Adds a decide task's heartbeat. Only that of its present epoch sets its clock: an older one may be from long ago. */
    void heartbeat(AnalyzerHeartbeat heartbeat, long append, long nanoTime) {
        wrote(heartbeat.version());
        newest.accumulateAndGet(append, Math::max);
        TaskClock own = taskClocks.get(heartbeat.version().task());
        if (own != null && own.epoch == heartbeat.version().epoch()) {
            own.clock.heard(append, nanoTime);
        }
        if (present) {
            clock.heard(append, nanoTime);
            String task = heartbeat.version().task();
            AnalyzerHeartbeat known = heartbeats.get(task);
            // heartbeats of an earlier incarnation that has not stopped yet are ignored
            if (known == null || known.version().epoch() <= heartbeat.version().epoch()) {
                AnalyzerHeartbeat whole = parts.computeIfAbsent(task, any -> new WholeHeartbeats())
                        .whole(heartbeat);
                heartbeats.put(task, whole);
                counts.heartbeat(whole, append);
                heardAt.put(task, append);
                if (heartbeat.positions()) {
                    notFollowing.remove(TaskHeartbeats.task(heartbeat.version()));
                } else {
                    notFollowing.add(TaskHeartbeats.task(heartbeat.version()));
                }
            }
        }
    }

    /** Returns the number of live agents that report this freshness. */
    public int agents(Freshness freshness) {
        return agents.alive(freshness);
    }

    /** Returns the number of records without a valid signature, where signatures are required. */
    public long recordsRefused() {
        return recordsRefused.get();
    }

    void recordRefused() {
        recordsRefused.incrementAndGet();
    }

    /** Returns the number of heartbeats that were ignored because there are too many agents. */
    public long agentsLeftOut() {
        return agents.leftOut();
    }

    /** Returns the age of the oldest newest heartbeat of all decide tasks in milliseconds; empty before there is any. */
    public OptionalLong silence(long nanoTime) {
        return heardAt.values().stream()
                .mapToLong(append -> Math.max(0, clock.now(nanoTime) - append))
                .max();
    }

    /** About how many subjects of a policy the tasks of one analyzer see. */
    public int active(String instance, String policy) {
        return heartbeats.values().stream()
                .filter(heartbeat -> heartbeat.instance().equals(instance))
                .mapToInt(heartbeat -> heartbeat.active().getOrDefault(policy, 0))
                .sum();
    }

    /** The highest epoch of a task on the gate-locks topic, 0 for none. */
    long highestEpoch(String task) {
        return epochs.getOrDefault(task, 0L);
    }

    /** A clock for a life of a decide task that begins: unknown until its own first heartbeat is read back. */
    BrokerClock taskClock(String task, long epoch) {
        BrokerClock unknown = new BrokerClock();
        taskClocks.put(task, new TaskClock(epoch, unknown));
        return unknown;
    }

    /**
     * The broker's time, or the best guess at it until it is known: our own, but not before the newest heartbeat in the history.
     *
     * @param wallClock epoch milliseconds
     */
    public long brokerTime(long nanoTime, long wallClock) {
        long known = clock.now(nanoTime);
        return known == BrokerClock.UNKNOWN ? Math.max(wallClock, newest.get()) : known;
    }

    /** The broker's time, from the newest heartbeat of any task. */
    public BrokerClock clock() {
        return clock;
    }
}
