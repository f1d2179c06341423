package io.sluice.analyzer.run;

import io.sluice.contract.topic.TopicProblem;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Whether the state that is there was made for as many partitions as there are now. A task keeps the state of a partition, and a subject that
 * moves to another one would leave its windows and its lock behind; Kafka Streams would die of it, again at every start.
 */
public final class StatePartitions {
    private static final String CHANGELOG = "-changelog";
    private static final String METERS = "-meter-epoch" + CHANGELOG;

    private final String prefix;
    private final String broker;

    /** @param broker for the remedy */
    StatePartitions(String applicationId, String broker) {
        this.prefix = applicationId + "-";
        this.broker = broker;
    }

    /**
     * Compares the topics that the analyzer reads with the state that its last run left. Topics that are missing are not
     * compared.
     *
     * @param applicationId what the names of all topics with state begin with
     * @param broker for the remedy
     * @param sources the topics of access logs
     * @throws KafkaException when the broker does not answer or refuses
     */
    public static Optional<TopicProblem> find(
            Admin admin, String applicationId, String broker, Collection<String> sources, String usage) {
        StatePartitions state = new StatePartitions(applicationId, broker);
        try {
            Set<String> all = new HashSet<>(admin.listTopics().names().get());
            all.removeIf(topic -> !state.isState(topic) && !sources.contains(topic) && !topic.equals(usage));
            Map<String, Integer> partitions = new HashMap<>();
            admin.describeTopics(all)
                    .allTopicNames()
                    .get()
                    .forEach((topic, found) ->
                            partitions.put(topic, found.partitions().size()));
            String requests =
                    Collections.max(sources, Comparator.comparing(topic -> partitions.getOrDefault(topic, 0)));
            return state.problem(requests, usage, partitions);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException refused ? refused : new KafkaException(e.getCause());
        }
    }

    /** Returns whether a topic holds state of ours. */
    boolean isState(String topic) {
        return topic.startsWith(prefix) && topic.endsWith(CHANGELOG);
    }

    /**
     * The problem, with its remedy.
     *
     * @param requests the topic of access logs with the most partitions, which the meters' state follows
     * @param usage the topic that all other state follows
     * @param partitions of these two, and of all topics that hold state
     */
    Optional<TopicProblem> problem(String requests, String usage, Map<String, Integer> partitions) {
        for (Map.Entry<String, Integer> state : new TreeMap<>(partitions).entrySet()) {
            if (isState(state.getKey())) {
                boolean meters = state.getKey().endsWith(METERS);
                String source = meters ? requests : usage;
                int needed = partitions.getOrDefault(source, 0);
                if (needed > 0 && state.getValue() != needed) {
                    return Optional.of(new TopicProblem(
                            source,
                            "has " + needed + " partitions, and the analyzer's state in " + state.getKey()
                                    + " was made for " + state.getValue(),
                            "stop the analyzers, delete analyzer.state-dir, then kafka-topics --bootstrap-server "
                                    + broker + " --delete --topic '" + prefix.replace(".", "\\.")
                                    + (meters ? METERS.substring(1) : ".*" + CHANGELOG)
                                    + "'; what was counted begins anew",
                            false));
                }
            }
        }
        return Optional.empty();
    }
}
