package io.sluice.contract.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * A topic as it is.
 *
 * @param partitions 0 when there is no such topic
 * @param hidden whether we may not look at it
 * @param config its settings, {@code null} when it is missing or we may not read them
 */
record FoundTopic(
        String name,
        int partitions,
        boolean hidden,
        @Nullable Config config) {

    /** The topics of these names, in this order. */
    static List<FoundTopic> find(Admin admin, List<String> names) {
        Map<String, KafkaFuture<TopicDescription>> descriptions =
                admin.describeTopics(names).topicNameValues();
        List<ConfigResource> resources =
                names.stream().map(FoundTopic::resource).toList();
        Map<ConfigResource, KafkaFuture<Config>> configs =
                admin.describeConfigs(resources).values();
        List<FoundTopic> found = new ArrayList<>();
        for (String name : names) {
            found.add(find(name, descriptions.get(name), configs.get(resource(name))));
        }
        return found;
    }

    static FoundTopic find(
            String name, @Nullable KafkaFuture<TopicDescription> description, @Nullable KafkaFuture<Config> config) {
        if (description == null || config == null) {
            throw new IllegalStateException("Kafka gave no answer for topic " + name);
        }
        int partitions;
        try {
            partitions = Broker.answer(description).partitions().size();
        } catch (UnknownTopicOrPartitionException e) {
            return new FoundTopic(name, 0, false, null);
        } catch (AuthorizationException e) {
            return new FoundTopic(name, 0, true, null);
        }
        try {
            return new FoundTopic(name, partitions, false, Broker.answer(config));
        } catch (UnknownTopicOrPartitionException e) {
            // created or deleted between the two answers, or known to only one of two brokers
            return new FoundTopic(name, 0, false, null);
        } catch (AuthorizationException e) {
            return new FoundTopic(name, partitions, false, null);
        }
    }

    private static ConfigResource resource(String name) {
        return new ConfigResource(ConfigResource.Type.TOPIC, name);
    }

    boolean missing() {
        return partitions == 0 && !hidden;
    }

    /** A setting's value, empty when it is not known. */
    String setting(String setting) {
        Config known = config;
        ConfigEntry entry = known == null ? null : known.get(setting);
        return entry == null || entry.value() == null ? "" : entry.value();
    }

    /** A setting's number, −1 also for no limit, {@code unless} when it is not known. */
    long number(String setting, long unless) {
        String value = setting(setting);
        return value.isEmpty() ? unless : Long.parseLong(value);
    }
}
