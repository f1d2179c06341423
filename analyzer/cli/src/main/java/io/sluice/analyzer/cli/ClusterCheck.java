package io.sluice.analyzer.cli;

import io.sluice.analyzer.Plural;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.contract.topic.PartitionOffsets;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.TopicProblem;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SourceSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Looks at the cluster: topics, rights, how far the analyzers have read. */
final class ClusterCheck {
    /** Stands for a member that is assigned nothing; no topic has this name. */
    private static final String MEMBER = "";

    private final Admin admin;
    private final Connection connection;

    ClusterCheck(Admin admin, Connection connection) {
        this.admin = admin;
        this.connection = connection;
    }

    List<Symptom> topics() throws InvalidSettings {
        List<Symptom> symptoms = new ArrayList<>();
        for (TopicProblem problem : TopicsCommand.problems(admin, connection)) {
            String found = problem.topic() + ": " + problem.problem();
            symptoms.add(
                    problem.warning()
                            ? Symptom.warn("topics", found, problem.remedy())
                            : Symptom.fail("topics", found, problem.remedy()));
        }
        return symptoms.isEmpty() ? List.of(Symptom.ok("topics", "all there, and as they should be")) : symptoms;
    }

    /** Checks whether the user has an operator's rights. */
    List<Symptom> rights() throws InvalidSettings, InterruptedException, ExecutionException {
        TopicNames names = connection.topics();
        Set<String> written = Set.of(names.operator(), names.policies(), names.decisions());
        Set<String> read = new TreeSet<>(Set.of(names.gateLocks(), names.agents(), names.deadLetters()));
        connection.settings().sources().forEach(source -> read.add(source.topic()));
        Set<String> all = new TreeSet<>(read);
        all.addAll(written);
        Map<String, Set<AclOperation>> allowed = allowed(all);
        List<String> missing = new ArrayList<>();
        for (String topic : written) {
            miss(topic, AclOperation.READ, allowed, missing);
            miss(topic, AclOperation.WRITE, allowed, missing);
        }
        read.forEach(topic -> miss(topic, AclOperation.READ, allowed, missing));
        return missing.isEmpty()
                ? List.of(Symptom.ok("rights", "all that these commands need"))
                : List.of(Symptom.fail("rights", "you may not " + String.join(", ", missing), NotAllowed.REMEDY));
    }

    private static void miss(
            String topic, AclOperation needed, Map<String, Set<AclOperation>> allowed, List<String> missing) {
        // a missing topic is reported by topics()
        if (allowed.containsKey(topic) && !allowed.get(topic).contains(needed)) {
            missing.add(needed.name().toLowerCase(Locale.ROOT) + " " + topic);
        }
    }

    /** What may be done with those topics that are there; nothing with one that may not even be looked at. */
    private Map<String, Set<AclOperation>> allowed(Set<String> topics) throws InterruptedException, ExecutionException {
        Map<String, Set<AclOperation>> allowed = new HashMap<>();
        Map<String, KafkaFuture<TopicDescription>> asked = admin.describeTopics(
                        topics, new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .topicNameValues();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> topic : asked.entrySet()) {
            try {
                Set<AclOperation> operations = topic.getValue().get().authorizedOperations();
                if (operations != null) {
                    allowed.put(topic.getKey(), operations);
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof TopicAuthorizationException) {
                    allowed.put(topic.getKey(), Set.of());
                } else if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        }
        return allowed;
    }

    int partitions(String topic) throws InterruptedException, ExecutionException {
        TopicDescription found =
                admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
        return found == null ? 0 : found.partitions().size();
    }

    /** How far the analyzers are behind the end of the access logs. */
    List<Symptom> lag(long now) throws InvalidSettings, InterruptedException, ExecutionException {
        String group = AnalyzerOptions.applicationId(connection.settings().topics());
        long backlog = connection.settings().analyzer().backlog();
        Set<String> sources = new HashSet<>();
        for (SourceSettings source : connection.settings().sources()) {
            sources.add(source.topic());
        }
        Optional<Set<String>> assigned = assigned(group, sources);
        if (assigned.isEmpty()) {
            return List.of(Symptom.fail("lag", "you may not describe group " + group, NotAllowed.REMEDY));
        }
        if (assigned.get().isEmpty()) {
            return List.of(Symptom.fail(
                    "lag",
                    "group " + group + " has no members: the access logs are not read",
                    "start './sluice analyzer'"));
        }
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        List<TopicPartition> read = partitionsOf(sources);
        ListOffsetsOptions options = new ListOffsetsOptions().timeoutMs((int) Connection.ANSWER.toMillis());
        PartitionOffsets ends = PartitionOffsets.of(admin, read, OffsetSpec.latest(), options);
        PartitionOffsets due =
                PartitionOffsets.of(admin, ends.known().keySet(), OffsetSpec.forTimestamp(now - backlog), options);
        PartitionOffsets begins = PartitionOffsets.of(admin, ends.known().keySet(), OffsetSpec.earliest(), options);
        Set<String> unread = new TreeSet<>(sources);
        // what is assigned may not have been committed yet
        unread.removeAll(assigned.get());
        committed.keySet().forEach(partition -> unread.remove(partition.topic()));
        Set<String> unanswered = new TreeSet<>(ends.unanswered());
        unanswered.addAll(begins.unanswered());
        Set<String> neverRead = new TreeSet<>();
        long lag = 0;
        List<String> behind = new ArrayList<>();
        for (var partition : ends.known().entrySet()) {
            OffsetAndMetadata at = committed.get(partition.getKey());
            var begin = begins.known().get(partition.getKey());
            if (begin == null && at == null) {
                continue;
            }
            long position =
                    at != null ? at.offset() : Objects.requireNonNull(begin).offset();
            long end = partition.getValue().offset();
            if (unread.contains(partition.getKey().topic())) {
                if (end > position) {
                    neverRead.add(partition.getKey().topic());
                }
                continue;
            }
            lag += Math.max(0, end - position);
            var found = due.known().get(partition.getKey());
            long dueUpTo = found == null ? -1 : found.offset();
            // -1: everything there is older
            if (position < (dueUpTo < 0 ? end : dueUpTo)) {
                behind.add(partition.getKey().toString());
            }
        }
        List<Symptom> symptoms = new ArrayList<>();
        if (!neverRead.isEmpty()) {
            symptoms.add(Symptom.fail(
                    "lag",
                    "no analyzer has read " + String.join(", ", neverRead),
                    "restart the analyzers with these sources"));
        }
        symptoms.add(lag(lag, behind, backlog));
        if (!unanswered.isEmpty()) {
            symptoms.add(Symptom.fail(
                    "lag",
                    "no leader answered for " + String.join(", ", unanswered) + " within "
                            + Connection.ANSWER.toSeconds() + " s: what is there is not counted until there is one",
                    "see which brokers hold these partitions: 'kafka-topics.sh --describe --unavailable-partitions'"));
        }
        return symptoms;
    }

    /** Returns the partitions of those topics that are there and may be looked at; the others have findings of their own. */
    private List<TopicPartition> partitionsOf(Set<String> topics) throws InterruptedException, ExecutionException {
        List<TopicPartition> partitions = new ArrayList<>();
        for (KafkaFuture<TopicDescription> asked :
                admin.describeTopics(topics).topicNameValues().values()) {
            try {
                TopicDescription found = asked.get();
                found.partitions().forEach(each -> partitions.add(new TopicPartition(found.name(), each.partition())));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
                        && !(e.getCause() instanceof TopicAuthorizationException)) {
                    throw e;
                }
            }
        }
        return partitions;
    }

    private static Symptom lag(long lag, List<String> behind, long backlog) {
        return behind.isEmpty()
                ? Symptom.ok("lag", Plural.of(lag, "event") + " behind")
                : Symptom.fail(
                        "lag",
                        Plural.of(lag, "event") + " behind; " + String.join(", ", behind) + " "
                                + (behind.size() == 1 ? "is" : "are") + " more than " + Spans.text(backlog)
                                + " behind, so nothing opens there",
                        "if it does not shrink: one more analyzer instance, or more analyzer.threads; see docs/performance.md");
    }

    /**
     * Returns the topics that members of a group are assigned, all sources while that is not settled, none where it has no members; empty for a group that
     * may not be looked at.
     */
    private Optional<Set<String>> assigned(String group, Set<String> sources)
            throws InterruptedException, ExecutionException {
        Set<String> topics = new HashSet<>();
        try {
            ConsumerGroupDescription found =
                    admin.describeConsumerGroups(List.of(group)).all().get().get(group);
            if (found != null) {
                if (!found.members().isEmpty() && found.groupState() != GroupState.STABLE) {
                    topics.addAll(sources);
                }
                found.members().forEach(member -> {
                    topics.add(MEMBER);
                    member.assignment().topicPartitions().forEach(partition -> topics.add(partition.topic()));
                });
            }
            return Optional.of(topics);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupAuthorizationException) {
                return Optional.empty();
            }
            // it never had a member
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Optional.of(topics);
            }
            throw e;
        }
    }
}
