package io.sluice.analyzer.run;

import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.MaskedSettings;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.SluiceSettings;
import io.sluice.settings.SourceSettings;
import io.sluice.settings.TopicSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of one analyzer.
 *
 * @param client what every Kafka client is given: {@code bootstrap.servers}, security
 * @param createTopics whether missing topics are made
 * @param sources the topics of access logs, at least one
 * @param policies published if the policies topic is empty, or {@code null}
 * @param address where other instances can ask this one, {@code host:port}, or {@code null}
 */
public record AnalyzerOptions(
        Map<String, Object> client,
        TopicSettings topics,
        boolean createTopics,
        List<SourceSettings> sources,
        AnalyzerSettings analyzer,
        @Nullable PolicySet policies,
        @Nullable String address) {

    /** @throws IllegalArgumentException naming what can't be used */
    public AnalyzerOptions {
        client = Map.copyOf(client);
        sources = List.copyOf(sources);
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("sources: none is given, the analyzer has nothing to read");
        }
        if (sources.stream().map(SourceSettings::topic).distinct().count() < sources.size()) {
            throw new IllegalArgumentException("sources: a topic is named twice");
        }
        if (!analyzer.instance().matches("[A-Za-z0-9._-]{1,200}")
                || analyzer.instance().matches("\\.+")) {
            throw new IllegalArgumentException("analyzer.instance: found '" + analyzer.instance()
                    + "', allowed: 1 to 200 letters, digits, dots, dashes and underscores");
        }
    }

    /** Names the instance and what it reads, and shows no secret. */
    @Override
    public String toString() {
        return "AnalyzerOptions[client=" + MaskedSettings.text(client) + ", topics=" + topics + ", sources=" + sources
                + ", analyzer=" + analyzer + "]";
    }

    /** Of one that no other instance asks. */
    public AnalyzerOptions(
            Map<String, Object> client,
            TopicSettings topics,
            boolean createTopics,
            List<SourceSettings> sources,
            AnalyzerSettings analyzer,
            @Nullable PolicySet policies) {
        this(client, topics, createTopics, sources, analyzer, policies, null);
    }

    /** Returns the options of the settings. */
    public static AnalyzerOptions of(
            SluiceSettings settings, Map<String, Object> client, @Nullable PolicySet policies) {
        return new AnalyzerOptions(
                client,
                settings.topics(),
                settings.topics().create() || settings.kafka().embedded(),
                settings.sources(),
                settings.analyzer(),
                policies,
                Advertised.of(settings.http(), client));
    }

    /** The name of the consumer group, and of everything that Kafka Streams makes for us. */
    public String applicationId() {
        return applicationId(topics);
    }

    /** The name of the consumer group, and what all topics and transactions of the analyzer's own begin with. */
    public static String applicationId(TopicSettings topics) {
        return topics.prefix() + "sluice-analyzer";
    }

    /**
     * Where this instance keeps its state: two instances on one machine don't meet. Messages name it, so it is without the {@code .} of
     * {@code ./data}; a {@code ..} stays, as it may lead out of a link.
     */
    Path stateDirectory() {
        Path set = analyzer.stateDir();
        int names = set.getNameCount();
        Path directory = set.startsWith(".") && names > 1 ? set.subpath(1, names) : set;
        return directory.toAbsolutePath().resolve(analyzer.instance());
    }
}
