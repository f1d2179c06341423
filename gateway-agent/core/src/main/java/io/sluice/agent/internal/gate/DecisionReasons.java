package io.sluice.agent.internal.gate;

import io.sluice.contract.agent.AgentReason;
import io.sluice.contract.agent.Freshness;
import java.util.List;

/** The reasons for which an agent does not fully apply the decisions of analyzer and operator. Thread-safe. */
final class DecisionReasons {
    private final FreshnessTracker trust;
    private final LockRegistry book;
    private final KillSwitch killSwitch;
    private final CutLeases cut;
    private final GateCount gates;
    private final DecisionCounts counts;
    private final ListenerList listeners;

    DecisionReasons(
            FreshnessTracker trust,
            LockRegistry book,
            KillSwitch killSwitch,
            CutLeases cut,
            GateCount gates,
            DecisionCounts counts,
            ListenerList listeners) {
        this.trust = trust;
        this.book = book;
        this.killSwitch = killSwitch;
        this.cut = cut;
        this.gates = gates;
        this.counts = counts;
        this.listeners = listeners;
    }

    /**
     * Returns all that hold now; a list of the caller's own.
     *
     * @param costIgnored whether requests name a cost that no policy in force limits
     */
    List<Reason> of(Freshness freshness, boolean costIgnored, long now) {
        List<Reason> reasons = trust.reasons(freshness, now);
        if (trust.bootstrapped() && book.rules().set().policies().isEmpty()) {
            reasons.add(new Reason(AgentReason.NO_POLICIES, "no policies are in force"));
        }
        if (killSwitch.configuredOff()) {
            reasons.add(new Reason(AgentReason.OFF_BY_SETTING, "rejections are switched off by this agent's settings"));
        }
        if (killSwitch.offByOperator(now)) {
            reasons.add(new Reason(AgentReason.OFF_BY_OPERATOR, "rejections are switched off by an operator"));
        }
        if (cut.any(now)) {
            reasons.add(new Reason(
                    AgentReason.LEASES_CUT,
                    "analyzers lock for longer than this agent's max-lease of " + cut.maxLease()
                            + " ms: it may end such locks early"));
        }
        if (gates.full()) {
            reasons.add(new Reason(
                    AgentReason.TABLE_FULL,
                    "all " + gates.value() + " subjects are in use: further callers share one limit per policy"));
        }
        if (counts.unknownModes() > 0) {
            reasons.add(new Reason(
                    AgentReason.MODES_UNKNOWN,
                    counts.unknownModes() + " locks had a mode of a newer version since the start: they only report"));
        }
        if (listeners.failures() > 0) {
            reasons.add(new Reason(AgentReason.LISTENER_FAILS, "a listener of the agent fails"));
        }
        if (costIgnored) {
            reasons.add(new Reason(
                    AgentReason.COST_IGNORED,
                    "requests name a cost, but no policy has a limit with measure: cost; each counts one"));
        }
        return reasons;
    }
}
