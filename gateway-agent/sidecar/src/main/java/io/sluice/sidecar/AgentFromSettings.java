package io.sluice.sidecar;

import io.sluice.agent.GateAgent;
import io.sluice.agent.GateAgentBuilder;
import io.sluice.agent.quota.QuotaStrategies;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.AgentSettings;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An agent as the section {@code agent} of the settings describes it. */
public final class AgentFromSettings {
    private AgentFromSettings() {}

    /**
     * Starts it.
     *
     * @throws InvalidSettings when the service is missing, or the file of policies can't be used; with all problems at once
     */
    public static GateAgent start(SluiceSettings settings) throws InvalidSettings {
        AgentSettings of = settings.agent();
        if (of.service().isBlank()) {
            throw new InvalidSettings(
                    List.of(
                            "agent.service is missing: the name of the guarded service, for example SLUICE_AGENT_SERVICE=orders"));
        }
        GateAgentBuilder builder = GateAgent.builder()
                .kafka(settings.kafka().client())
                .topicPrefix(settings.topics().prefix())
                .id(of.id())
                .service(of.service())
                .enforce(of.enforce())
                .maxLease(Duration.ofMillis(of.maxLease()))
                .staleAfter(Duration.ofMillis(of.staleAfter()))
                .heartbeat(Duration.ofMillis(of.heartbeat()))
                .gates(of.gates())
                .logQueue(of.logQueue())
                .pseudonyms(of.pseudonyms())
                .quotaWait(Duration.ofMillis(of.quotaWait()));
        if (of.logTopic() != null) {
            builder.logTopic(of.logTopic());
        }
        if (of.logSpread() != null) {
            builder.logSpread(of.logSpread());
        }
        Path policies = of.policies();
        if (policies != null) {
            builder.policies(read(policies));
        }
        QuotaStrategy[] strategies = strategies(of);
        try {
            return builder.quotaStrategy(strategies).build();
        } catch (RuntimeException e) {
            List.of(strategies).forEach(QuotaStrategy::close);
            throw e;
        }
    }

    private static QuotaStrategy[] strategies(AgentSettings of) throws InvalidSettings {
        try {
            return QuotaStrategies.of("agent.quota", of.quotas());
        } catch (IllegalArgumentException e) {
            throw new InvalidSettings(List.of(String.valueOf(e.getMessage())));
        }
    }

    private static PolicySet read(Path file) throws InvalidSettings {
        try {
            return PolicyFile.read(file);
        } catch (InvalidPolicies e) {
            throw new InvalidSettings(
                    e.problems().stream().map(Object::toString).toList());
        } catch (MalformedRecord e) {
            throw new InvalidSettings(List.of(String.valueOf(e.getMessage())));
        } catch (IOException e) {
            throw new InvalidSettings(List.of("agent.policies: " + e.getMessage()));
        }
    }
}
