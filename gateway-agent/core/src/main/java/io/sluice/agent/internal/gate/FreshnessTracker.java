package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.BrokerClocks;
import io.sluice.agent.internal.lease.HeartbeatAges;
import io.sluice.contract.agent.AgentReason;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.LockValidity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Tracks how far decisions can be trusted: which task epoch wrote them, what time it is at the broker, whether the topics were read to the end,
 * and whether every analyzer task sends heartbeats. Records come from one thread; everything else may be called from any.
 */
final class FreshnessTracker {
    private final BrokerClocks clocks = new BrokerClocks();
    private final HeartbeatAges heartbeats;
    private final LockValidity validity = new LockValidity();
    private volatile boolean live;
    private volatile boolean bootstrapped;

    /** @param staleAfter how old a task's newest heartbeat may be, milliseconds */
    FreshnessTracker(long staleAfter) {
        heartbeats = new HeartbeatAges(clocks, staleAfter);
    }

    /** Admits a record of the newest epoch of its task, and updates broker time and heartbeats from it. */
    boolean admits(int partition, GateRecord record, long append, long now) {
        if (!validity.admits(record.version())) {
            return false;
        }
        clocks.heard(partition, append, now, live);
        if (record instanceof AnalyzerHeartbeat heartbeat) {
            heartbeats.heard(partition, heartbeat, append, live);
        }
        return true;
    }

    /** All records from before the start have been read. */
    void caughtUp() {
        live = true;
        bootstrapped = true;
    }

    /** The topics are read from the beginning again. */
    void again() {
        live = false;
        validity.reset();
    }

    void anchored(long append, long now) {
        clocks.anchored(append, now);
    }

    void partitions(int count) {
        heartbeats.partitions(count);
    }

    /** Returns whether the topics have been read to their ends once. */
    boolean bootstrapped() {
        return bootstrapped;
    }

    /** Returns whether records that arrive now are new. */
    boolean live() {
        return live;
    }

    /** Returns the clock of a partition of gate-locks. */
    BrokerClock clock(int partition) {
        return clocks.of(partition);
    }

    /** Returns the clock of everything else. */
    BrokerClock clock() {
        return clocks.common();
    }

    Freshness freshness(long now) {
        if (!bootstrapped || !clocks.anchored()) {
            return Freshness.COLD;
        }
        return heartbeats.fresh(now) ? Freshness.FRESH : Freshness.STALE;
    }

    Map<String, Long> heartbeatAges(long now) {
        return heartbeats.ages(now);
    }

    /** Why it is not fresh, in words, as far as it is this much; a list of the caller's own. */
    List<Reason> reasons(Freshness freshness, long now) {
        List<Reason> reasons = new ArrayList<>();
        if (!bootstrapped) {
            reasons.add(new Reason(AgentReason.TOPICS_UNREAD, "the decision topics have not been read to the end yet"));
        } else if (freshness == Freshness.COLD) {
            reasons.add(
                    new Reason(
                            AgentReason.TIME_UNKNOWN,
                            "broker time is not known yet: the agent's own heartbeat was not appended, and no analyzer was heard"));
        }
        heartbeats.silent(now).forEach(silent -> reasons.add(new Reason(AgentReason.ANALYZER_SILENT, silent)));
        return reasons;
    }
}
