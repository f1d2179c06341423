package io.sluice.agent;

import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.contract.topic.TopicNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of one agent, checked. Immutable.
 *
 * @param kafka settings of the Kafka clients
 * @param logTopic the topic of the access log
 * @param logSpread the most partitions with entries of one caller, or 0: all
 * @param logQueue the most access-log entries that wait to be sent
 * @param heartbeatMillis the interval of heartbeats, milliseconds
 * @param quotaWaitNanos how long a check waits for strategies, nanoseconds
 * @param localPolicies in force until those of the topic have been read
 */
record AgentSettings(
        Map<String, Object> kafka,
        TopicNames topics,
        String logTopic,
        int logSpread,
        int logQueue,
        long heartbeatMillis,
        List<QuotaStrategy> strategies,
        long quotaWaitNanos,
        Pseudonyms pseudonyms,
        Optional<PolicySet> localPolicies,
        DecisionState.Settings decisions) {

    String id() {
        return decisions.agent();
    }

    String service() {
        return decisions.service();
    }
}
