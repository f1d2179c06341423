package io.sluice.analyzer.cli;

import static org.apache.kafka.common.acl.AclOperation.ALL;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.sluice.contract.topic.TopicNames;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/** The roles that use our topics, with the least rights that each needs. */
enum Role {
    /** One that runs the analyzer. It makes topics of its own, all under its application id; ours are made by an administrator. */
    ANALYZER {
        @Override
        void rights(Places places, BiConsumer<ResourcePattern, AclOperation> needs) {
            TopicNames topics = places.topics();
            places.sources().forEach(source -> allow(needs, topic(source), READ, DESCRIBE_CONFIGS));
            Stream.of(topics.usage(), topics.loads(), topics.gateLocks(), topics.policies())
                    .forEach(both -> allow(needs, topic(both), READ, WRITE, DESCRIBE_CONFIGS));
            Stream.of(topics.operator(), topics.agents())
                    .forEach(read -> allow(needs, topic(read), READ, DESCRIBE_CONFIGS));
            // written by its tasks, and read for the HTTP API
            allow(needs, topic(topics.decisions()), READ, WRITE, DESCRIBE_CONFIGS);
            if (places.writes()) {
                allow(needs, topic(topics.operator()), WRITE);
            }
            allow(needs, topic(topics.deadLetters()), WRITE, DESCRIBE_CONFIGS);
            // start-up verifies all of our topics, also where it reads another one
            allow(needs, topic(topics.requests()), DESCRIBE_CONFIGS);
            allow(needs, underApplication(ResourceType.TOPIC, places), ALL);
            allow(needs, underApplication(ResourceType.GROUP, places), READ);
            // for exactly-once
            allow(needs, underApplication(ResourceType.TRANSACTIONAL_ID, places), WRITE, DESCRIBE);
        }
    },
    /** A service with an agent in it, or a sidecar: reads what was decided, writes its log and that it lives. */
    AGENT {
        @Override
        void rights(Places places, BiConsumer<ResourcePattern, AclOperation> needs) {
            TopicNames topics = places.topics();
            Stream.of(topics.gateLocks(), topics.operator(), topics.policies())
                    .forEach(read -> allow(needs, topic(read), READ));
            String log = places.log();
            Stream.of(log == null ? topics.requests() : log, topics.agents())
                    .forEach(write -> allow(needs, topic(write), WRITE));
        }
    },
    /** A publisher of access logs without an agent: a proxy, a log shipper. */
    PUBLISHER {
        @Override
        void rights(Places places, BiConsumer<ResourcePattern, AclOperation> needs) {
            String log = places.log();
            (log == null ? places.sources() : List.of(log)).forEach(source -> allow(needs, topic(source), WRITE));
        }
    },
    /** A person: looks at everything, and may lock, release, switch off and change policies. */
    OPERATOR {
        @Override
        void rights(Places places, BiConsumer<ResourcePattern, AclOperation> needs) {
            TopicNames topics = places.topics();
            Stream.concat(
                            places.sources().stream(),
                            Stream.of(
                                    topics.requests(),
                                    topics.usage(),
                                    topics.loads(),
                                    topics.gateLocks(),
                                    topics.policies(),
                                    topics.operator(),
                                    topics.agents(),
                                    topics.decisions(),
                                    topics.deadLetters()))
                    .distinct()
                    .forEach(read -> allow(needs, topic(read), READ, DESCRIBE_CONFIGS));
            Stream.of(topics.policies(), topics.operator(), topics.decisions())
                    .forEach(write -> allow(needs, topic(write), WRITE));
            // dead letters that are tried again go where they came from, and are marked as tried
            allow(needs, topic(topics.deadLetters()), WRITE);
            places.sources().forEach(source -> allow(needs, topic(source), WRITE));
            // how far the analyzer lags
            allow(needs, underApplication(ResourceType.GROUP, places), DESCRIBE);
        }
    };

    /**
     * Where the roles work.
     *
     * @param sources the topics of access logs
     * @param application the analyzer's application id
     * @param writes whether operators may change locks by the analyzer's HTTP API
     * @param log the only topic of access logs that an agent or a publisher may write; {@code null}: as usual
     */
    record Places(
            TopicNames topics,
            List<String> sources,
            String application,
            boolean writes,
            @Nullable String log) {
        /** Returns the same places for a principal that writes access logs to one topic only. */
        Places only(@Nullable String topic) {
            return new Places(topics, sources, application, writes, topic);
        }
    }

    abstract void rights(Places places, BiConsumer<ResourcePattern, AclOperation> needs);

    /** As it is written on the command line. */
    String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The default principal of the role. */
    String usualPrincipal() {
        return "User:sluice-" + spelling();
    }

    private static void allow(
            BiConsumer<ResourcePattern, AclOperation> needs, ResourcePattern where, AclOperation... operations) {
        for (AclOperation operation : operations) {
            needs.accept(where, operation);
        }
    }

    private static ResourcePattern topic(String name) {
        return new ResourcePattern(ResourceType.TOPIC, name, PatternType.LITERAL);
    }

    private static ResourcePattern underApplication(ResourceType type, Places places) {
        return new ResourcePattern(type, places.application(), PatternType.PREFIXED);
    }
}
