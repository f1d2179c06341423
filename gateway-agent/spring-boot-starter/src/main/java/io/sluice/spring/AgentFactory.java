package io.sluice.spring;

import io.sluice.agent.GateAgent;
import io.sluice.agent.GateAgentBuilder;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.HttpSignals;
import io.sluice.agent.quota.QuotaStrategies;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.contract.pseudonym.Pseudonyms;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;

/** Makes of properties what they describe, and names the property when it can't be done. */
final class AgentFactory {
    private AgentFactory() {}

    static GateAgent agent(SluiceProperties properties, @Nullable String applicationName) {
        String bootstrap = properties.kafka().bootstrapServers();
        if (bootstrap == null || bootstrap.isBlank()) {
            throw new InvalidSluiceProperty(
                    "sluice.kafka.bootstrap-servers", "is missing: where is Kafka? Such as kafka-1:9092,kafka-2:9092");
        }
        SluiceProperties.Agent wanted = properties.agent();
        String service = wanted.service() == null ? applicationName : wanted.service();
        if (service == null || service.isBlank()) {
            throw new InvalidSluiceProperty(
                    "sluice.agent.service",
                    "is missing, and so is spring.application.name: what do policies call this service?");
        }
        GateAgentBuilder builder = GateAgent.builder()
                .kafka(properties.kafka().properties())
                .bootstrap(bootstrap)
                .topicPrefix(properties.topics().prefix())
                .service(service)
                .enforce(wanted.enforce())
                .maxLease(wanted.maxLease())
                .staleAfter(wanted.staleAfter())
                .heartbeat(wanted.heartbeat())
                .gates(wanted.gates())
                .logQueue(wanted.logQueue())
                .quotaWait(wanted.quotaWait());
        if (wanted.id() != null) {
            builder.id(wanted.id());
        }
        if (wanted.logTopic() != null) {
            builder.logTopic(wanted.logTopic());
        }
        if (wanted.logSpread() != null) {
            int spread = wanted.logSpread();
            valid("sluice.agent.log-spread", () -> builder.logSpread(spread));
        }
        if (properties.topics().signingKeyFile() != null) {
            builder.signedRecords(
                    properties.topics().signingKeyFile(),
                    properties.topics().unsigned() == SluiceProperties.Unsigned.ACCEPT);
        }
        if (wanted.pseudonymKeyFile() != null) {
            builder.pseudonyms(keys(wanted.pseudonymKeyFile()));
        }
        if (wanted.policies() != null) {
            policies(builder, wanted.policies());
        }
        QuotaStrategy[] strategies =
                valid("sluice.agent.quota", () -> QuotaStrategies.of("sluice.agent.quota", wanted.quota()));
        try {
            return valid("sluice.agent", builder.quotaStrategy(strategies)::build);
        } catch (RuntimeException e) {
            List.of(strategies).forEach(QuotaStrategy::close);
            throw e;
        }
    }

    private static Pseudonyms keys(Path file) {
        try {
            return Pseudonyms.read(file);
        } catch (IOException e) {
            throw new InvalidSluiceProperty(
                    "sluice.agent.pseudonym-key-file",
                    e instanceof NoSuchFileException ? file + ": no such file" : String.valueOf(e.getMessage()),
                    e);
        }
    }

    private static void policies(GateAgentBuilder builder, Resource resource) {
        try {
            byte[] json = resource.getContentAsByteArray();
            valid("sluice.agent.policies", () -> builder.policies(json));
        } catch (IOException e) {
            throw new InvalidSluiceProperty(
                    "sluice.agent.policies", resource.getDescription() + " can't be read: " + e.getMessage(), e);
        }
    }

    static CallerExtraction caller(SluiceProperties.Agent wanted) {
        return valid(
                "sluice.agent",
                () -> CallerExtraction.of(
                                wanted.caller(), wanted.identity(), wanted.trustedProxies(), wanted.ipv6Prefix())
                        .identitySetting("sluice.agent.identity"));
    }

    static RouteNormalizer routes(SluiceProperties.Filter wanted) {
        return valid("sluice.filter.routes", () -> new RouteNormalizer(wanted.routes()));
    }

    static HttpSignals signals(SluiceProperties.Signals wanted) {
        return valid(
                "sluice.signals",
                () -> HttpSignals.standard().jitter(wanted.jitter()).legacy(wanted.legacy()));
    }

    private static <T> T valid(String property, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidSluiceProperty(property, String.valueOf(e.getMessage()), e);
        }
    }
}
