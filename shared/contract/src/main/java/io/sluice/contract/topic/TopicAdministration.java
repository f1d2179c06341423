package io.sluice.contract.topic;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;

/**
 * Makes our topics and looks whether they are as they ought to be. Every method waits for the broker, for as long as the
 * client is configured to, and throws {@link KafkaException} when it does not answer or refuses.
 */
public final class TopicAdministration {
    private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(30);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final Admin admin;

    /** @param admin stays the caller's to close */
    public TopicAdministration(Admin admin) {
        this.admin = admin;
    }

    /**
     * Creates the topics that are missing, leaves the others as they are, and waits until the broker shows them all.
     *
     * @return the names of those that were created
     */
    public List<String> create(Collection<TopicDefinition> definitions) {
        Set<String> existing = Broker.answer(admin.listTopics().names());
        List<NewTopic> missing = definitions.stream()
                .filter(definition -> !existing.contains(definition.name()))
                .map(TopicAdministration::topic)
                .toList();
        Map<String, KafkaFuture<Void>> answers = admin.createTopics(missing).values();
        List<String> created = missing.stream()
                .map(NewTopic::name)
                .filter(name -> isCreated(answers.get(name)))
                .toList();
        awaitVisible(missing.stream().map(NewTopic::name).toList());
        return created;
    }

    private static NewTopic topic(TopicDefinition definition) {
        Optional<Short> replication =
                definition.replication() < 0 ? Optional.empty() : Optional.of((short) definition.replication());
        return new NewTopic(definition.name(), Optional.of(definition.partitions()), replication)
                .configs(definition.settings());
    }

    private static boolean isCreated(@Nullable KafkaFuture<Void> answer) {
        try {
            if (answer != null) {
                Broker.answer(answer);
            }
            return answer != null;
        } catch (TopicExistsException e) {
            // another process was faster
            return false;
        }
    }

    /** The controller answers before the brokers know a new topic. */
    private void awaitVisible(List<String> names) {
        long start = System.nanoTime();
        while (FoundTopic.find(admin, names).stream().anyMatch(FoundTopic::missing)) {
            if (System.nanoTime() - start > VISIBLE_WITHIN.toNanos()) {
                throw new TimeoutException("the broker does not show what was created within " + VISIBLE_WITHIN);
            }
            Broker.pause(LOOK_AGAIN);
        }
    }

    /**
     * Returns the problems of our topics, worst first; empty when there are none.
     *
     * @param definitions of {@code names}, as they ought to be
     */
    public List<TopicProblem> verify(TopicNames names, Collection<TopicDefinition> definitions) {
        List<String> all = definitions.stream().map(TopicDefinition::name).toList();
        return new TopicRules(names, Broker.address(admin)).problems(definitions, FoundTopic.find(admin, all));
    }

    /** The problems of another team's topic that access logs are read from. */
    public List<TopicProblem> verifySource(String topic) {
        return new TopicRules(new TopicNames(""), Broker.address(admin))
                .problemsOfSource(FoundTopic.find(admin, List.of(topic)).get(0));
    }
}
