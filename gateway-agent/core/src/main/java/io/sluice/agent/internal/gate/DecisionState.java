package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.LeaseExpiry;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The decisions of analyzer and operator that have been read. One thread applies records; {@link #refresh} is called by another; all other methods may
 * be called by any thread.
 */
public final class DecisionState {
    private static final String KILL_SWITCH = "$enforce";
    // far longer than a check takes, so that a request that read the clock just before the sweep is not late
    private static final long SWEEP_LAG_NANOS = 1_000_000_000;

    /**
     * Bounds of decisions.
     *
     * @param maxLease the longest lease, milliseconds
     * @param staleAfter the age of a task's last heartbeat after which the agent is stale, milliseconds
     * @param gates the most subjects in memory
     * @param ownServiceOnly whether only requests of {@code service} are checked, so that locks for others are not needed
     */
    public record Settings(
            String agent,
            String service,
            boolean enforce,
            long maxLease,
            long staleAfter,
            int gates,
            boolean ownServiceOnly) {
        /** Those of an agent that checks requests of any service. */
        public Settings(String agent, String service, boolean enforce, long maxLease, long staleAfter, int gates) {
            this(agent, service, enforce, maxLease, staleAfter, gates, false);
        }
    }

    private final Settings settings;
    private final FreshnessTracker trust;
    private final GateCount gates;
    private final LockRegistry book;
    private final KillSwitch killSwitch;
    private final DecisionCounts counts;
    private final CutLeases cut;
    private final ListenerList listeners = new ListenerList();
    private final DecisionReasons reasons;
    // keys of operator records that have not been read again yet; confined to the thread that applies records
    private final Set<List<String>> unconfirmed = new HashSet<>();

    private volatile Freshness freshness = Freshness.COLD;
    private volatile boolean killed;
    private volatile boolean costIgnored;

    private volatile int liveAgents = 1;
    private volatile long wallOffset;

    public DecisionState(Settings settings) {
        this(settings, new GateCount(settings.gates));
    }

    DecisionState(Settings settings, GateCount gates) {
        this.settings = settings;
        this.trust = new FreshnessTracker(settings.staleAfter);
        this.gates = gates;
        this.book = new LockRegistry(gates, settings.ownServiceOnly ? settings.service : null);
        this.counts = new DecisionCounts(book);
        this.killSwitch = new KillSwitch(settings.agent, settings.enforce);
        this.killed = !settings.enforce;
        this.cut = new CutLeases(settings.maxLease);
        this.reasons = new DecisionReasons(trust, book, killSwitch, cut, gates, counts, listeners);
    }

    // --- records

    /** Applies a lock, a release or an analyzer's heartbeat. */
    public void gateRecord(int partition, GateRecord record, long append, long now) {
        if (!trust.admits(partition, record, append, now)) {
            counts.fenced.increment();
            return;
        }
        if (record instanceof AnalyzerHeartbeat heartbeat) {
            int unnamed = heartbeat.agentsPart() ? liveAgents : 1;
            liveAgents = Math.max(1, heartbeat.liveAgents().getOrDefault(settings.service, unnamed));
        } else if (record instanceof GateLock lock) {
            if (lock.mode() == Mode.UNKNOWN) {
                counts.unknownModes.increment();
            }
            long ttl = LockValidity.ttl(lock, settings.maxLease);
            if (trust.live()) {
                cut.add(lock, now);
            }
            LeaseExpiry lease = LeaseExpiry.capped(trust.clock(partition), append, ttl, settings.maxLease, now);
            Evidence why = lock.evidence();
            if (book.gateLock(lock, lease, now) && trust.live() && why != null) {
                listeners.publish(it -> it.applied(
                        why.crossed(), why.decided(), trust.clock(partition).now(now)));
            }
        }
    }

    /** Applies an operator's record. */
    public void operator(OperatorRecord record, long append, long now) {
        unconfirmed.remove(OperatorJson.key(record));
        LeaseExpiry lease = LeaseExpiry.operator(trust.clock(), append, record.ttlMillis(), now);
        if (record instanceof OperatorRecord.Enforce enforce) {
            killSwitch.operator(enforce, lease);
            killed = killSwitch.off(now);
        } else if (record instanceof OperatorRecord.Lock lock) {
            if (lock.mode() == Mode.UNKNOWN) {
                counts.unknownModes.increment();
            }
            book.operatorLock(lock, lease);
        } else if (record instanceof OperatorRecord.Release release) {
            book.operatorRelease(release, lease);
        }
    }

    /** Removes an operator's record. */
    public void operatorDeleted(List<String> key, long now) {
        operatorDeleted(key);
        killed = killSwitch.off(now);
    }

    private void operatorDeleted(List<String> key) {
        if (key.get(0).equals(KILL_SWITCH)) {
            killSwitch.gone(key.size() == 1 ? null : key.get(1));
        } else {
            book.operatorDeleted(key);
        }
    }

    /** Puts a policy set in force. */
    public void policies(PolicySet set) {
        book.policies(set);
        costIgnored = false;
        listeners.publish(it -> it.policies(set));
    }

    /** Adds a listener and calls it with the policies in force. */
    public void listen(DecisionListener listener) {
        listeners.add(listener, it -> it.policies(rules().set()));
    }

    /** All records from before the start have been read; records that arrive now are new. */
    public void caughtUp() {
        // operator records without an end would outlive the topic that contained them
        unconfirmed.forEach(this::operatorDeleted);
        unconfirmed.clear();
        trust.caughtUp();
    }

    /** The topics are read from the beginning again. Decisions remain in force meanwhile. */
    public void again() {
        unconfirmed.addAll(book.operatorKeys());
        unconfirmed.add(List.of(KILL_SWITCH));
        unconfirmed.add(List.of(KILL_SWITCH, settings.agent));
        trust.again();
    }

    /** The broker appended the agent's own heartbeat. */
    public void anchored(long append, long now) {
        trust.anchored(append, now);
    }

    /** Sets the number of partitions of gate-locks. */
    public void partitions(int count) {
        trust.partitions(count);
    }

    // --- maintenance

    /**
     * Updates what only time changes; called about every 100 ms.
     *
     * @param wallMillis the wall clock
     */
    public void refresh(long now, long wallMillis) {
        wallOffset = wallMillis - now / 1_000_000;
        freshness = trust.freshness(now);
        killed = killSwitch.off(now);
    }

    /** Removes expired locks and gates that have been idle for a second; called every few seconds. */
    public void tidy(long now) {
        book.expire(now);
        sweep(Math.max(0, now - SWEEP_LAG_NANOS));
    }

    /** Removes gates that were idle at this time. Requests that read the clock earlier are treated as late. */
    void sweep(long idleAt) {
        book.sweep(idleAt);
    }

    /** Returns whether there are so many gates that idle ones should be swept more often. */
    public boolean crowded() {
        return gates.crowded();
    }

    // --- for checks

    /** See {@link LockRegistry#arrivals}. */
    int arrivals() {
        return book.arrivals();
    }

    CompiledPolicies rules() {
        return book.rules();
    }

    boolean killed() {
        return killed;
    }

    /** A request named a cost that no policy in force limits. */
    void costIgnored() {
        if (!costIgnored) {
            costIgnored = true;
        }
    }

    /** How far the lock table can be trusted. */
    public Freshness freshness() {
        return freshness;
    }

    int liveAgents() {
        return liveAgents;
    }

    long wallTime(long now) {
        return wallOffset + now / 1_000_000;
    }

    // --- status

    /** Returns broker time, or the wall clock while that is unknown; epoch milliseconds. */
    public long time(long now) {
        long broker = trust.clock().now(now);
        return broker == BrokerClock.UNKNOWN ? wallTime(now) : broker;
    }

    /** Returns whether rejections are enabled. */
    public boolean enforcing() {
        return !killed && rules().set().enforce();
    }

    public String policyRevision() {
        return rules().set().revision();
    }

    public int locks(long now) {
        return book.locks(now);
    }

    public int gates() {
        return gates.value();
    }

    public Map<String, Long> heartbeatAges(long now) {
        return trust.heartbeatAges(now);
    }

    /** Returns the counts of rejections and of records that could not be applied. */
    public DecisionCounts counts() {
        return counts;
    }

    /** Returns why the agent is not fully working; empty when it is. */
    public List<Reason> reasons(long now) {
        return reasons.of(freshness, costIgnored, now);
    }
}
