package io.sluice.analyzer.run;

import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicDefinition;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.TopicProblem;
import io.sluice.contract.topic.Topics;
import io.sluice.settings.SourceSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the topics if it is to, refuses to start with wrong ones, and counts their partitions. */
final class TopicCheck {
    private static final Logger log = LoggerFactory.getLogger(TopicCheck.class);

    private static final int TRIES = 50;
    private static final long PAUSE_MILLIS = 100;
    /** Kafka's own default. */
    private static final long DEFAULT_PATIENCE_MILLIS = 60_000;

    private final Admin admin;
    private final AnalyzerOptions options;
    private final TopicNames names;

    TopicCheck(Admin admin, AnalyzerOptions options) {
        this.admin = admin;
        this.options = options;
        names = new TopicNames(options.topics().prefix());
    }

    /**
     * How many partitions each topic has that the analyzer reads.
     *
     * @throws CannotStart with a line for each topic that is wrong, and how to mend it
     */
    Map<String, Integer> partitions() throws CannotStart {
        try {
            List<TopicDefinition> definitions = Topics.definitions(
                    names,
                    options.topics().partitions(),
                    options.topics().replication(),
                    options.analyzer().maxLease(),
                    options.topics().retention());
            TopicAdministration topics = new TopicAdministration(admin);
            List<String> created = options.createTopics() ? topics.create(definitions) : List.of();
            List<TopicProblem> problems = problems(topics, definitions, created);
            judge(problems);
            created.forEach(topic -> log.info("created topic {}", topic));
            Map<String, Integer> partitions = count();
            judgeState();
            judgeRights();
            return partitions;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStart("interrupted");
        } catch (TimeoutException e) {
            throw new CannotStart(
                    "Kafka at " + servers() + " did not answer within " + patienceSeconds(options)
                            + " s. Check that this is the address of a broker"
                            + " and that kafka.properties-file has its TLS and SASL settings.",
                    e);
        } catch (KafkaException e) {
            throw new CannotStart("kafka at " + servers() + ": " + e, e);
        }
    }

    private @Nullable Object servers() {
        return options.client().get("bootstrap.servers");
    }

    /** Returns how long a request to Kafka may take, in seconds. */
    static long patienceSeconds(AnalyzerOptions options) {
        Object millis = options.client().get(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG);
        return TimeUnit.MILLISECONDS.toSeconds(
                millis == null ? DEFAULT_PATIENCE_MILLIS : Long.parseLong(millis.toString()));
    }

    /**
     * Returns the hash of different values. Its key is the random id that Kafka gave the usage topic: all analyzers of a fleet see the same one, and
     * callers of the services never do.
     */
    DistinctHash hash() throws CannotStart {
        try {
            Uuid id = Uuid.ZERO_UUID;
            for (TopicDescription usage : describe(List.of(names.usage()), new DescribeTopicsOptions())
                    .values()) {
                id = usage.topicId();
            }
            return DistinctHash.keyed(id.getMostSignificantBits(), id.getLeastSignificantBits());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotStart("interrupted");
        }
    }

    /** A broker may not know yet what its controller has just created: then it is asked again for a while. */
    private List<TopicProblem> problems(
            TopicAdministration topics, List<TopicDefinition> definitions, List<String> created)
            throws InterruptedException {
        for (int tries = TRIES; ; tries--) {
            try {
                List<TopicProblem> problems = problems(topics, definitions);
                if (tries == 1 || created.isEmpty() || problems.stream().noneMatch(TopicCheck::wrong)) {
                    return problems;
                }
            } catch (UnknownTopicOrPartitionException e) {
                if (tries == 1) {
                    throw e;
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private List<TopicProblem> problems(TopicAdministration topics, List<TopicDefinition> definitions) {
        List<TopicProblem> problems = new ArrayList<>(topics.verify(names, definitions));
        for (SourceSettings source : options.sources()) {
            if (!source.topic().equals(names.requests())) {
                problems.addAll(topics.verifySource(source.topic()));
            }
        }
        return problems;
    }

    private static boolean wrong(TopicProblem problem) {
        return !problem.warning();
    }

    private static void judge(List<TopicProblem> problems) throws CannotStart {
        List<String> wrong = new ArrayList<>();
        for (TopicProblem problem : problems) {
            if (problem.warning()) {
                log.warn("{}", problem);
            } else {
                wrong.add("topic " + problem);
            }
        }
        if (!wrong.isEmpty()) {
            throw new CannotStart(wrong);
        }
    }

    private void judgeState() throws CannotStart {
        Optional<TopicProblem> problem = StatePartitions.find(
                admin,
                options.applicationId(),
                String.valueOf(options.client().get("bootstrap.servers")),
                options.sources().stream().map(SourceSettings::topic).toList(),
                names.usage());
        if (problem.isPresent()) {
            throw new CannotStart("topic " + problem.get());
        }
    }

    /** A right that is missing would end the stream thread at the first record of that topic, after each start. */
    private void judgeRights() throws CannotStart, InterruptedException {
        List<String> written = List.of(
                names.usage(),
                names.loads(),
                names.gateLocks(),
                names.policies(),
                names.decisions(),
                names.deadLetters());
        List<String> refused = new ArrayList<>();
        describe(written, new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .forEach((topic, found) -> {
                    Set<AclOperation> may = found.authorizedOperations();
                    // null: the broker does not report them
                    if (may != null && !may.contains(AclOperation.WRITE) && !may.contains(AclOperation.ALL)) {
                        refused.add("topic " + topic
                                + ": this analyzer may not write it; './sluice topics create --acls' grants it");
                    }
                });
        if (!refused.isEmpty()) {
            throw new CannotStart(refused.stream().sorted().toList());
        }
    }

    private Map<String, Integer> count() throws CannotStart, InterruptedException {
        List<String> read = new ArrayList<>(List.of(names.usage()));
        options.sources().forEach(source -> read.add(source.topic()));
        return count(read);
    }

    private Map<String, Integer> count(List<String> topics) throws CannotStart, InterruptedException {
        Map<String, Integer> partitions = new HashMap<>();
        describe(topics, new DescribeTopicsOptions())
                .forEach((topic, found) ->
                        partitions.put(topic, found.partitions().size()));
        return partitions;
    }

    private Map<String, TopicDescription> describe(List<String> topics, DescribeTopicsOptions how)
            throws CannotStart, InterruptedException {
        try {
            return admin.describeTopics(topics, how).allTopicNames().get();
        } catch (ExecutionException e) {
            throw new CannotStart("kafka: " + e.getCause(), e);
        }
    }
}
