package io.sluice.agent.gate;

import io.sluice.agent.AgentListener;
import io.sluice.agent.lease.BrokerClocks;
import io.sluice.agent.lease.Fence;
import io.sluice.agent.lease.Heartbeats;
import io.sluice.agent.lease.Lease;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * What analyzer and operator decided, as far as it has been heard, and how far that can be trusted. One thread brings
 * the records; {@link #refresh} comes from another; everything else may come from any.
 */
public final class Decisions {
    private static final String KILL_SWITCH = "$enforce";

    /** What to bound decisions with. Times in milliseconds. */
    public record Settings(String agent, String service, boolean enforce, long maxLease, long staleAfter, int gates) {}

    private final Settings settings;
    private final BrokerClocks clocks = new BrokerClocks();
    private final Heartbeats heartbeats;
    private final Fence fence = new Fence();
    private final GateCount gates;
    private final LockBook book;
    private final KillSwitch killSwitch;
    private final LongAdder fenced = new LongAdder();
    private final LongAdder unknownModes = new LongAdder();
    private final LongAdder listenerFailures = new LongAdder();
    private final List<AgentListener> listeners = new CopyOnWriteArrayList<>();

    private volatile boolean live;
    private volatile boolean bootstrapped;
    private volatile Freshness freshness = Freshness.COLD;
    private volatile boolean killed;
    private volatile int liveAgents = 1;
    private volatile long wallOffset;

    public Decisions(Settings settings) {
        this(settings, new GateCount(settings.gates));
    }

    Decisions(Settings settings, GateCount gates) {
        this.settings = settings;
        this.heartbeats = new Heartbeats(clocks, settings.staleAfter);
        this.gates = gates;
        this.book = new LockBook(gates);
        this.killSwitch = new KillSwitch(settings.agent, settings.enforce);
        this.killed = !settings.enforce;
    }

    // --- from the topics

    /** A lock, a release or an analyzer's heartbeat. */
    public void gateRecord(int partition, GateRecord record, long append, long now) {
        if (!fence.admits(record.version())) {
            fenced.increment();
            return;
        }
        clocks.heard(partition, append, now, live);
        if (record instanceof AnalyzerHeartbeat heartbeat) {
            heartbeats.heard(partition, heartbeat, append);
            liveAgents = Math.max(1, heartbeat.liveAgents().getOrDefault(settings.service, 1));
        } else if (record instanceof GateLock lock) {
            if (lock.mode() == Mode.UNKNOWN) {
                unknownModes.increment();
            }
            // a release outlives every lock that it may have to outrank
            long ttl = lock.mode() == Mode.OPEN ? settings.maxLease : lock.ttlMillis();
            Lease lease = Lease.capped(clocks.of(partition), append, ttl, settings.maxLease, now);
            Evidence why = lock.evidence();
            if (book.gateLock(lock, lease, now) && live && why != null) {
                told(it -> it.applied(
                        why.crossed(), why.decided(), clocks.of(partition).now(now)));
            }
        }
    }

    /** An operator's word. */
    public void operator(OperatorRecord record, long append, long now) {
        Lease lease = Lease.operator(clocks.common(), append, record.ttlMillis(), now);
        if (record instanceof OperatorRecord.Enforce enforce) {
            killSwitch.operator(enforce, lease);
            killed = killSwitch.off(now);
        } else if (record instanceof OperatorRecord.Lock lock) {
            if (lock.mode() == Mode.UNKNOWN) {
                unknownModes.increment();
            }
            book.operatorLock(lock, lease);
        } else if (record instanceof OperatorRecord.Release release) {
            book.operatorRelease(release, lease);
        }
    }

    /** The operator's record under this key was deleted. */
    public void operatorGone(List<String> key, long now) {
        if (key.get(0).equals(KILL_SWITCH)) {
            killSwitch.gone(key.size() == 1 ? null : key.get(1));
            killed = killSwitch.off(now);
        } else {
            book.operatorGone(key);
        }
    }

    /** Puts a policy set in force. */
    public void policies(PolicySet set) {
        book.policies(set);
        told(it -> it.policies(set));
    }

    /** From now on this one is told what is decided, beginning with the policies in force. */
    public void listen(AgentListener listener) {
        listeners.add(listener);
        told(listener, it -> it.policies(rules().set()));
    }

    private void told(Consumer<AgentListener> what) {
        listeners.forEach(listener -> told(listener, what));
    }

    private void told(AgentListener listener, Consumer<AgentListener> what) {
        try {
            what.accept(listener);
        } catch (RuntimeException e) {
            // somebody else's mistake: no decision is lost over it
            listenerFailures.increment();
        }
    }

    /** Everything that stood on the topics at the start was read: what comes now is live. */
    public void caughtUp() {
        live = true;
        bootstrapped = true;
    }

    /** The topics are read from the beginning again. */
    public void again() {
        live = false;
        fence.reset();
    }

    /** The broker appended the agent's own heartbeat. */
    public void anchored(long append, long now) {
        clocks.anchored(append, now);
    }

    /** How many partitions gate-locks has. */
    public void partitions(int count) {
        heartbeats.partitions(count);
    }

    // --- from the keeper

    /**
     * Looks at what only time changes; every 100 ms or so.
     *
     * @param wallMillis the wall clock
     */
    public void refresh(long now, long wallMillis) {
        wallOffset = wallMillis - now / 1_000_000;
        freshness = judged(now);
        killed = killSwitch.off(now);
    }

    private Freshness judged(long now) {
        boolean fresh = heartbeats.fresh(now);
        if (!bootstrapped || !clocks.anchored()) {
            return Freshness.COLD;
        }
        return fresh ? Freshness.FRESH : Freshness.STALE;
    }

    /** Lets go of locks that are over and of gates that are idle; every few seconds. */
    public void tidy(long now) {
        book.expire(now);
        book.sweep(now);
    }

    /** Whether gates are so many that idle ones should be looked for more often. */
    public boolean crowded() {
        return gates.crowded();
    }

    // --- for checks

    Rules rules() {
        return book.rules();
    }

    boolean killed() {
        return killed;
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

    // --- for people

    /** Broker time where it is known, else the wall clock; epoch milliseconds. */
    public long time(long now) {
        long broker = clocks.common().now(now);
        return broker == BrokerClock.UNKNOWN ? wallTime(now) : broker;
    }

    /** Whether rejections are allowed at all. */
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
        return heartbeats.ages(now);
    }

    public long fenced() {
        return fenced.sum();
    }

    public long unknownModes() {
        return unknownModes.sum();
    }

    /** How many requests were turned away since the start. */
    public long rejected() {
        return book.rejected();
    }

    /** How many of them a local limit turned away. */
    public long limitedInAll() {
        return book.limited();
    }

    /** Rejections, or with {@code shadow} what would have been rejections, by policy. */
    public Map<String, Long> rejections(boolean shadow) {
        Map<String, Long> byPolicy = new TreeMap<>();
        for (GatePolicy policy : rules().policies()) {
            GatePolicy.Counts counts = policy.counts();
            byPolicy.put(policy.policy().name(), shadow ? counts.wouldReject.sum() : counts.rejected());
        }
        return byPolicy;
    }

    /** Rejections by local limits, by policy. */
    public Map<String, Long> limited() {
        Map<String, Long> byPolicy = new TreeMap<>();
        for (GatePolicy policy : rules().policies()) {
            byPolicy.put(policy.policy().name(), policy.counts().limited.sum());
        }
        return byPolicy;
    }

    /** Why the agent is not at its best, in words; empty when it is. */
    public List<String> reasons(long now) {
        List<String> reasons = new ArrayList<>();
        if (!bootstrapped) {
            reasons.add("the decision topics have not been read to the end yet");
        } else if (freshness == Freshness.COLD) {
            reasons.add(
                    "broker time is not known yet: the agent's own heartbeat was not appended, and no analyzer was heard");
        }
        reasons.addAll(heartbeats.silent(now));
        if (listenerFailures.sum() > 0) {
            reasons.add("a listener of the agent fails");
        }
        for (GatePolicy policy : rules().policies()) {
            if (policy.unsupported()) {
                reasons.add("policy " + policy.policy().name()
                        + " has a limit with scope: fleet, which this version can't follow");
            }
        }
        return reasons;
    }
}
