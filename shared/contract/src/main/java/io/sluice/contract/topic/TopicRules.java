package io.sluice.contract.topic;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;

import io.sluice.contract.json.BoundedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Rules for our topics, with the command that repairs each. No Kafka client in it. */
final class TopicRules {
    /** A record of the longest document, with its key and what a batch adds. A policy set may be longer: its topic's definition bounds it. */
    static final long LEAST_MESSAGE_BYTES = 2L * BoundedJson.MAX_BYTES;

    private static final String CREATE = "./sluice topics create";

    private final TopicNames names;
    private final String broker;
    private final List<TopicProblem> problems = new ArrayList<>();

    TopicRules(TopicNames names, String broker) {
        this.names = names;
        this.broker = broker;
    }

    List<TopicProblem> problems(Collection<TopicDefinition> definitions, List<FoundTopic> found) {
        for (TopicDefinition definition : definitions) {
            for (FoundTopic topic : found) {
                if (topic.name().equals(definition.name())) {
                    check(definition, topic);
                }
            }
        }
        samePartitions(found);
        problems.sort(Comparator.comparing(TopicProblem::warning));
        return List.copyOf(problems);
    }

    List<TopicProblem> problemsOfSource(FoundTopic topic) {
        if (readable(topic, "'./sluice topics create --sources' creates it; or name another topic in sources")) {
            appendTime(topic, true);
        }
        return List.copyOf(problems);
    }

    private void check(TopicDefinition definition, FoundTopic topic) {
        if (!readable(topic, CREATE)) {
            return;
        }
        boolean requests = topic.name().equals(names.requests());
        // a topic of an earlier version only grows
        boolean grows = topic.name().equals(names.operator())
                && parts(topic.setting(CLEANUP_POLICY_CONFIG)).equals(Set.of("compact"));
        if (definition.settings().containsKey(MESSAGE_TIMESTAMP_TYPE_CONFIG)) {
            // loads of a topic of an earlier version are held against the later one of the producer's time and the
            // broker's; times of policies are only shown
            appendTime(
                    topic,
                    requests
                            || topic.name().equals(names.loads())
                            || topic.name().equals(names.policies()));
        }
        // how long access logs and dead letters are kept is their owner's business
        if (!requests && !topic.name().equals(names.deadLetters())) {
            retention(definition, topic, grows);
        }
        // its remedy comes after that of the retention: in between, records that hold would be deleted
        cleanup(definition, topic, grows);
        if (definition.settings().containsKey(RETENTION_BYTES_CONFIG)) {
            retentionBytes(topic);
        }
        messageBytes(definition, topic);
        if (topic.name().equals(names.policies()) || topic.name().equals(names.operator())) {
            onePartition(topic);
        }
    }

    private boolean readable(FoundTopic topic, String remedyIfMissing) {
        if (topic.missing()) {
            add(topic, "is missing", remedyIfMissing, false);
            return false;
        }
        if (topic.hidden()) {
            add(topic, "may not be looked at", allow("Describe", topic), false);
            return false;
        }
        if (topic.config() == null) {
            add(topic, "its settings may not be read, so they were not checked", allow("DescribeConfigs", topic), true);
        }
        return true;
    }

    private void cleanup(TopicDefinition definition, FoundTopic topic, boolean warning) {
        String needed = definition.settings().getOrDefault(CLEANUP_POLICY_CONFIG, "delete");
        String found = topic.setting(CLEANUP_POLICY_CONFIG);
        if (!found.isEmpty() && !parts(found).equals(parts(needed))) {
            wrong(topic, CLEANUP_POLICY_CONFIG, found, needed, warning);
        }
    }

    private void appendTime(FoundTopic topic, boolean warning) {
        String found = topic.setting(MESSAGE_TIMESTAMP_TYPE_CONFIG);
        if (!found.isEmpty() && !found.equals(Topics.APPEND_TIME)) {
            wrong(topic, MESSAGE_TIMESTAMP_TYPE_CONFIG, found, Topics.APPEND_TIME, warning);
        }
    }

    private void retention(TopicDefinition definition, FoundTopic topic, boolean warning) {
        String needed = definition.settings().get(RETENTION_MS_CONFIG);
        if (needed == null) {
            return;
        }
        long found = topic.number(RETENTION_MS_CONFIG, -1);
        if (found >= 0 && found < Long.parseLong(needed)) {
            wrong(topic, RETENTION_MS_CONFIG, Long.toString(found), needed, warning);
        }
    }

    private void retentionBytes(FoundTopic topic) {
        long found = topic.number(RETENTION_BYTES_CONFIG, -1);
        if (found >= 0) {
            wrong(topic, RETENTION_BYTES_CONFIG, Long.toString(found), "-1", false);
        }
    }

    private void messageBytes(TopicDefinition definition, FoundTopic topic) {
        String own = definition.settings().get(MAX_MESSAGE_BYTES_CONFIG);
        long needed = own == null ? LEAST_MESSAGE_BYTES : Long.parseLong(own);
        long found = topic.number(MAX_MESSAGE_BYTES_CONFIG, needed);
        if (found < needed) {
            wrong(topic, MAX_MESSAGE_BYTES_CONFIG, Long.toString(found), Long.toString(needed), false);
        }
    }

    private void onePartition(FoundTopic topic) {
        if (topic.partitions() != 1) {
            add(
                    topic,
                    "has " + topic.partitions() + " partitions, exactly 1 is needed to keep its records in order",
                    "stop everything, then kafka-topics --bootstrap-server " + broker + " --delete --topic "
                            + topic.name() + " and " + CREATE,
                    false);
        }
    }

    /** A decide task reads partition i of usage and alone writes partition i of gate-locks. */
    private void samePartitions(List<FoundTopic> found) {
        for (FoundTopic usage : found) {
            for (FoundTopic locks : found) {
                boolean both =
                        usage.name().equals(names.usage()) && locks.name().equals(names.gateLocks());
                if (both
                        && usage.partitions() > 0
                        && locks.partitions() > 0
                        && usage.partitions() != locks.partitions()) {
                    differ(usage, locks);
                }
            }
        }
    }

    private void differ(FoundTopic usage, FoundTopic locks) {
        FoundTopic fewer = usage.partitions() < locks.partitions() ? usage : locks;
        int needed = Math.max(usage.partitions(), locks.partitions());
        add(
                locks,
                "has " + locks.partitions() + " partitions and " + usage.name() + " has " + usage.partitions()
                        + ", they must have the same number",
                "stop the analyzers, then kafka-topics --bootstrap-server " + broker + " --alter --topic "
                        + fewer.name() + " --partitions " + needed,
                false);
    }

    private void wrong(FoundTopic topic, String setting, String found, String needed, boolean warning) {
        String value = needed.contains(",") ? "[" + needed + "]" : needed;
        add(
                topic,
                setting + " is " + found + ", " + needed + " is needed",
                "kafka-configs --bootstrap-server " + broker + " --alter --entity-type topics --entity-name "
                        + topic.name() + " --add-config '" + setting + "=" + value + "'",
                warning);
    }

    private String allow(String operation, FoundTopic topic) {
        return "kafka-acls --bootstrap-server " + broker + " --add --allow-principal User:NAME --operation " + operation
                + " --topic " + topic.name();
    }

    private void add(FoundTopic topic, String problem, String remedy, boolean warning) {
        problems.add(new TopicProblem(topic.name(), problem, remedy, warning));
    }

    private static Set<String> parts(String list) {
        return new TreeSet<>(Arrays.asList(list.replace(" ", "").split(",", -1)));
    }
}
