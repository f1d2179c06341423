package io.sluice.agent;

import io.sluice.agent.internal.gate.DecisionCounts;
import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.internal.gate.Reason;
import io.sluice.agent.internal.log.LogQueue;
import io.sluice.agent.internal.quota.StrategyClients;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Reports the agent's state: to the host on request, and to the fleet in heartbeats. Thread-safe. */
final class StatusReporter {
    /** Of the checks since the start, the part with claimed callers above which they are reported: 1 in so many. */
    private static final long FEW_CLAIMED = 100;

    /** Numbers that clients in JavaScript read as they are. */
    private static final long MOST_RUNS = 1L << 53;

    private final long run = ThreadLocalRandom.current().nextLong(1, MOST_RUNS);
    private final String id;
    private final String service;
    private final LongSupplier ticks;
    private final DecisionState decisions;
    private final DecisionCounts counts;
    private final LogQueue requestLog;
    private final LongAdder passed;
    private final LongAdder claimed;
    private final LongAdder failures;
    private final StrategyClients clients;

    StatusReporter(
            String id,
            String service,
            LongSupplier ticks,
            DecisionState decisions,
            LogQueue requestLog,
            LongAdder passed,
            LongAdder claimed,
            LongAdder failures,
            StrategyClients clients) {
        this.id = id;
        this.service = service;
        this.ticks = ticks;
        this.decisions = decisions;
        this.counts = decisions.counts();
        this.requestLog = requestLog;
        this.passed = passed;
        this.claimed = claimed;
        this.failures = failures;
        this.clients = clients;
    }

    AgentStatus status(AgentThreads threads) {
        long now = ticks.getAsLong();
        Outcomes outcomes = outcomes();
        return new AgentStatus(
                id,
                service,
                decisions.freshness(),
                decisions.enforcing(),
                decisions.policyRevision(),
                decisions.heartbeatAges(now),
                decisions.locks(now),
                decisions.gates(),
                outcomes.checks(),
                outcomes.rejections(),
                outcomes.allowed,
                total(outcomes.lockedBy),
                total(outcomes.limitedBy),
                claimed.sum(),
                outcomes.rejectedBy(),
                outcomes.lockedBy,
                outcomes.limitedBy,
                counts.rejections(true),
                failures.sum(),
                requestLog.logged(),
                requestLog.sent(),
                requestLog.drops(),
                threads.malformed(),
                threads.newer(),
                counts.unknownModes(),
                counts.fenced(),
                counts.misfits(),
                threads.unsigned(),
                texts(reasons(threads, outcomes)));
    }

    List<String> reasons(AgentThreads threads) {
        return texts(reasons(threads, outcomes()));
    }

    private static List<String> texts(List<Reason> reasons) {
        return reasons.stream().map(Reason::text).toList();
    }

    private List<Reason> reasons(AgentThreads threads, Outcomes outcomes) {
        List<Reason> reasons = new ArrayList<>(decisions.reasons(ticks.getAsLong()));
        clients.reasons().forEach(reason -> reasons.add(new Reason(AgentReason.STORE_UNANSWERED, reason)));
        reasons.addAll(threads.reasons());
        long unsure = claimed.sum();
        if (unsure > outcomes.checks() / FEW_CLAIMED) {
            reasons.add(
                    new Reason(
                            AgentReason.CALLERS_CLAIMED,
                            unsure
                                    + " checks had a caller that was only claimed since the start: no policy by caller locks it"));
        }
        if (failures.sum() > 0) {
            reasons.add(new Reason(
                    AgentReason.CHECKS_FAIL,
                    failures.sum() + " checks failed internally since the start, and let their requests pass"));
        }
        return reasons;
    }

    AgentHeartbeat heartbeat(AgentThreads threads) {
        long now = ticks.getAsLong();
        Outcomes outcomes = outcomes();
        return new AgentHeartbeat(
                id,
                service,
                decisions.freshness(),
                decisions.locks(now),
                outcomes.checks(),
                outcomes.rejections(),
                requestLog.drops(),
                System.currentTimeMillis(),
                outcomes.rejectedBy(),
                counts.rejections(true),
                true,
                clients.unanswered(),
                reasons(threads, outcomes).stream()
                        .map(reason -> reason.code().code())
                        .toList(),
                run);
    }

    private Outcomes outcomes() {
        return new Outcomes(passed.sum(), counts.locked(), counts.limited());
    }

    private static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** All outcomes, read once. Sums are computed from these: two counters that are read one after the other differ by what was counted in between. */
    private record Outcomes(long allowed, Map<String, Long> lockedBy, Map<String, Long> limitedBy) {
        long checks() {
            return allowed + rejections();
        }

        long rejections() {
            return total(lockedBy) + total(limitedBy);
        }

        Map<String, Long> rejectedBy() {
            Map<String, Long> rejectedBy = new TreeMap<>(lockedBy);
            limitedBy.forEach((policy, count) -> rejectedBy.merge(policy, count, Long::sum));
            return rejectedBy;
        }
    }

    /** The broker appended a heartbeat, at this broker time in epoch milliseconds. */
    void appended(long time) {
        decisions.anchored(time, ticks.getAsLong());
    }
}
