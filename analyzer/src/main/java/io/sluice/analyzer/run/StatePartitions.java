package io.sluice.analyzer.run;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether the state that is there was made for as many partitions as there are now. A task keeps the state of a partition, and a subject that
 * moves to another one would leave its windows and its lock behind; Kafka Streams would die of it, again at every start.
 */
final class StatePartitions {
    private static final String CHANGELOG = "-changelog";
    private static final String METERS = "-meter-epoch" + CHANGELOG;

    private final String prefix;
    private final String broker;

    /** @param broker for the remedy */
    StatePartitions(String applicationId, String broker) {
        this.prefix = applicationId + "-";
        this.broker = broker;
    }

    /** Whether a topic holds state of ours. */
    boolean isState(String topic) {
        return topic.startsWith(prefix) && topic.endsWith(CHANGELOG);
    }

    /**
     * What is wrong, with the remedy.
     *
     * @param requests the topic of access logs with the most partitions, which the meters' state follows
     * @param usage the topic that all other state follows
     * @param partitions of these two, and of all topics that hold state
     */
    Optional<String> problem(String requests, String usage, Map<String, Integer> partitions) {
        for (Map.Entry<String, Integer> state : new TreeMap<>(partitions).entrySet()) {
            if (isState(state.getKey())) {
                boolean meters = state.getKey().endsWith(METERS);
                String source = meters ? requests : usage;
                int needed = partitions.getOrDefault(source, 0);
                if (state.getValue() != needed) {
                    return Optional.of("topic " + source + ": has " + needed
                            + " partitions, and the analyzer's state in "
                            + state.getKey() + " was made for " + state.getValue()
                            + "; stop the analyzers, delete analyzer.state-dir, then kafka-topics --bootstrap-server "
                            + broker + " --delete --topic '" + prefix.replace(".", "\\.")
                            + (meters ? METERS.substring(1) : ".*" + CHANGELOG) + "'; what was counted begins anew");
                }
            }
        }
        return Optional.empty();
    }
}
