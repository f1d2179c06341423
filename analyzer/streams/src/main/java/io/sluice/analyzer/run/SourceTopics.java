package io.sluice.analyzer.run;

import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicDefinition;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import io.sluice.settings.SluiceSettings;
import io.sluice.settings.SourceSettings;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topics of {@code sources} under names of their own. They belong to other teams, unless the broker is ours. */
public final class SourceTopics {
    private static final Logger log = LoggerFactory.getLogger(SourceTopics.class);

    private SourceTopics() {}

    /** Returns them as they would be created; without those that are among Sluice's topics anyway. */
    public static List<TopicDefinition> definitions(SluiceSettings settings) {
        String requests = new TopicNames(settings.topics().prefix()).requests();
        return settings.sources().stream()
                .map(SourceSettings::topic)
                .filter(topic -> !topic.equals(requests))
                .distinct()
                .map(topic -> Topics.source(
                        topic,
                        settings.topics().partitions(),
                        settings.topics().replication(),
                        settings.topics().retention()))
                .toList();
    }

    /**
     * Creates those that are missing.
     *
     * @throws CannotStart when the broker does not answer or refuses
     */
    public static void create(SluiceSettings settings, Map<String, Object> client) throws CannotStart {
        List<TopicDefinition> definitions = definitions(settings);
        if (definitions.isEmpty()) {
            return;
        }
        try (Admin admin = Admin.create(client)) {
            new TopicAdministration(admin)
                    .create(definitions)
                    .forEach(topic -> log.info("created topic {}, which sources names", topic));
        } catch (KafkaException e) {
            throw new CannotStart("the topics of sources could not be created: " + e.getMessage());
        }
    }
}
