package io.sluice.analyzer.cli;

import io.sluice.contract.agent.AgentReason;

/** What an operator can do about the reasons of agents. */
final class ReasonRemedies {
    private ReasonRemedies() {}

    /** Returns the remedy of a reason. */
    static String of(AgentReason reason) {
        return switch (reason) {
            case TOPICS_UNREAD, TIME_UNKNOWN, TOPICS_UNREACHABLE ->
                "see that its service reaches Kafka and may read the decision topics: './sluice topics verify --acls'";
            case ANALYZER_SILENT -> "start './sluice analyzer', and see the findings of the analyzer";
            case TIMESTAMPS_WRONG -> "'./sluice topics verify' names the topic and the command";
            case POLICIES_UNREADABLE ->
                "'./sluice policies apply FILE' with a good set; an older agent needs an update";
            case RECORDS_MALFORMED ->
                "the agent's log at DEBUG names the records; see what else writes to the topics, then restart its service";
            case RECORDS_NEWER, MODES_UNKNOWN -> "update the agent to the version of the analyzers";
            case RECORDS_UNSIGNED ->
                "give analyzers, commands and agents the same signing keys (docs/security.md), then restart its service";
            case NO_POLICIES -> "'./sluice policies apply FILE'; if others have policies: may it read that topic?";
            case OFF_BY_SETTING -> "agent.enforce: true in its settings, when it is to reject";
            case OFF_BY_OPERATOR -> "'./sluice enforce on --reason …', when the reason is gone";
            case LEASES_CUT -> "set agent.max-lease of its settings to analyzer.max-lease or more";
            case TABLE_FULL -> "a larger agent.gates in its settings, or policies that count by fewer values";
            case CALLERS_CLAIMED ->
                "if the service verifies its callers: agent.identity: authenticated in its settings (docs/integration.md)";
            case COST_IGNORED -> "a policy with a limit and measure: cost, or checks without a cost";
            case STORE_UNANSWERED ->
                "agent.quota of its settings must name the store, which must be up, near, and have the limit's algorithm: docs/limiters.md";
            case LOG_UNSENT ->
                "see that the topic of its access log exists and that it may write to it: what is not logged is not counted";
            case HEARTBEATS_UNSENT ->
                "see that it may write to the agents topic, and Kafka's quotas: while it is missing, shares are too large";
            case LISTENER_FAILS -> "the agent's log names the listener of its service that throws";
            case CHECKS_FAIL -> "a defect: report it with the agent's log at DEBUG";
            case MAINTENANCE_FAILS -> "the agent's log has the cause; restart its service";
        };
    }
}
