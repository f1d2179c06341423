package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.topic.TopicNames;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.OurTopics;
import io.sluice.faults.process.AnalyzerProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics are wrong, go, and grow, and two processes want one state directory: who can't work says so in a line and begins nothing. */
class WrongTopicsTest {
    private static final int PARTITIONS = 2;
    private static final String POLICIES = """
            guard: { subjects: 100%, atLeast: 1000 }
            policies:
              - name: busy
                per: [caller]
                window: 1s
                panes: 10
                lock: { when: [{ above: 20 }], mode: block, for: 5m }
            """;
    private static final Map<String, Object> FIGURES = new LinkedHashMap<>();
    private static FaultyBroker broker;
    private static Admin admin;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        broker = FaultyBroker.start();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
    }

    @AfterAll
    static void stop() {
        admin.close();
        broker.close();
        Reliability.tell(
                11,
                "wrong topics, deleted topics, changed partitions, two processes on one state directory",
                "a clear line each with the remedy, exit 1, nothing half-started",
                WrongTopicsTest.class,
                FIGURES);
    }

    /** One way in which topics can be wrong, and what has to be said of it. */
    private enum Way {
        DELETED_WHEN_OLD("gate-locks", "cleanup.policy is delete, compact,delete is needed; kafka-configs "),
        PRODUCERS_TIME("gate-locks", "message.timestamp.type is CreateTime, LogAppendTime is needed; kafka-configs "),
        KEPT_FOR_A_MINUTE("gate-locks", "retention.ms is 60000, 3600000 is needed; kafka-configs "),
        TINY_RECORDS("usage", "max.message.bytes is 1024, "),
        TWO_ORDERS("operator", "has 2 partitions, exactly 1 is needed"),
        UNEQUAL("gate-locks", "has 2 partitions and %susage has 3, they must have the same number; "),
        MISSING("loads", "is missing; ./sluice topics create"),
        MADE_BY_A_CLIENT("policies", "cleanup.policy is delete, compact is needed; kafka-configs ");

        private final String topic;
        private final String said;

        Way(String topic, String said) {
            this.topic = topic;
            this.said = said;
        }

        String prefix() {
            return "w-" + name().toLowerCase(Locale.ROOT) + ".";
        }

        String line() {
            return "topic " + prefix() + topic + ": " + said.formatted(prefix());
        }

        void make() throws Exception {
            TopicNames names = OurTopics.make(broker.bootstrap(), prefix(), PARTITIONS);
            String name = prefix() + topic;
            switch (this) {
                case DELETED_WHEN_OLD -> set(name, "cleanup.policy", "delete");
                case PRODUCERS_TIME -> set(name, "message.timestamp.type", "CreateTime");
                case KEPT_FOR_A_MINUTE -> set(name, "retention.ms", "60000");
                case TINY_RECORDS -> set(name, "max.message.bytes", "1024");
                case TWO_ORDERS -> grow(name, 2);
                case UNEQUAL -> grow(names.usage(), PARTITIONS + 1);
                case MISSING -> delete(name);
                case MADE_BY_A_CLIENT -> {
                    delete(name);
                    admin.createTopics(List.of(new NewTopic(name, 1, (short) 1)))
                            .all()
                            .get();
                }
            }
        }
    }

    private static void set(String topic, String setting, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    private static void grow(String topic, int partitions) throws Exception {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                .all()
                .get();
    }

    private static void delete(String topic) throws Exception {
        admin.deleteTopics(List.of(topic)).all().get();
    }

    @Test
    void whoeverFindsAWrongTopicSaysItInOneLineWithTheRemedyAndBeginsNothing() throws Exception {
        Map<Way, JavaProcess> analyzers = new TreeMap<>();
        try {
            for (Way way : Way.values()) {
                way.make();
                analyzers.put(way, JavaProcess.start(spec(way.name(), way.prefix())));
            }
            for (Way way : Way.values()) {
                JavaProcess analyzer = analyzers.get(way);
                assertRefused(analyzer, way.line());
                assertThat(tasks(way.name())).isEmpty();
            }
            assertThat(groups()).as("consumer groups").isEmpty();
            for (Way way : Way.values()) {
                assertThat(written(way.prefix())).as(way.name()).isZero();
            }
        } finally {
            analyzers.values().forEach(JavaProcess::close);
        }
        FIGURES.put("wrong in so many ways", Way.values().length + ", a line each");
    }

    @Test
    void aTopicThatGoesEndsTheAnalyzerAndItIsRefusedUntilTheTopicIsBack() throws Exception {
        try (Surroundings around =
                new Surroundings(folder, broker.bootstrap(), "gone.", PARTITIONS, POLICIES, "max-lease: 60s")) {
            JavaProcess analyzer = around.start(around.analyzer("a"));
            around.awaitAble(0, "a");

            delete(around.topics.requests());
            assertEnds(analyzer, "a topic that the analyzer reads is gone; ./sluice topics verify says which");
            assertRefused(
                    JavaProcess.start(spec("b", "gone.")), "topic gone.requests: is missing; ./sluice topics create");
            analyzer.restart();
            around.awaitAble(System.currentTimeMillis(), "a");

            assertThat(analyzer.alive()).isTrue();
            FIGURES.put("a deleted topic", "ended, refused, made again");
        }
    }

    @Test
    void partitionsThatChangeUnderAnAnalyzerEndItAndItSaysWhatToDo() throws Exception {
        try (Surroundings around =
                new Surroundings(folder, broker.bootstrap(), "grown.", PARTITIONS, POLICIES, "max-lease: 60s")) {
            JavaProcess analyzer = around.start(around.analyzer("a"));
            around.awaitAble(0, "a");
            analyzer.terminate();
            assertThat(analyzer.exit(Surroundings.PATIENCE)).contains(143);

            grow(around.topics.usage(), PARTITIONS + 1);
            grow(around.topics.gateLocks(), PARTITIONS + 1);
            assertRefused(
                    JavaProcess.start(spec("b", "grown.")),
                    "topic grown.usage: has 3 partitions, and the analyzer's state in grown.sluice-analyzer-leases-changelog was made for 2;"
                            + " stop the analyzers, delete analyzer.state-dir, then kafka-topics ");
            FIGURES.put("changed partitions", "refused with the remedy");
        }
    }

    @Test
    void aSecondProcessOnOneStateDirectoryIsRefusedAndTheFirstGoesOn() {
        try (Surroundings around =
                new Surroundings(folder, broker.bootstrap(), "two.", PARTITIONS, POLICIES, "max-lease: 60s")) {
            JavaProcess first = around.start(around.analyzer("a"));
            around.awaitAble(0, "a");
            long lives = around.heartbeats().lives();

            JavaProcess.Spec spec = around.analyzer("a");
            JavaProcess.Spec second = new JavaProcess.Spec(
                    "second",
                    folder,
                    spec.main(),
                    spec.prefix(),
                    spec.javaOptions(),
                    spec.arguments(),
                    spec.environment());
            assertRefused(
                    JavaProcess.start(second),
                    "analyzer.instance: an analyzer 'a' is already running with its state in "
                            + around.state("a").resolve("a"));

            around.awaitAble(System.currentTimeMillis(), "a");
            assertThat(around.heartbeats().lives())
                    .as("the first was left alone")
                    .isEqualTo(lives);
            assertThat(first.alive()).isTrue();
            FIGURES.put("a second process", "refused, the first went on");
        }
    }

    private JavaProcess.Spec spec(String instance, String prefix) throws IOException {
        Path policies = Files.writeString(folder.resolve("policies-" + instance + ".yml"), POLICIES);
        String settings = AnalyzerProcess.settings(
                broker.bootstrap(),
                prefix,
                PARTITIONS,
                policies,
                "analyzer: { state-dir: " + folder.resolve("state-" + instance) + " }");
        return AnalyzerProcess.of(instance, folder, settings.replace("create: true", "create: false"));
    }

    /** It ends with 1 and says this, in one line of its own, and no stack trace. */
    private static void assertRefused(JavaProcess analyzer, String line) {
        assertThat(analyzer.exit(Surroundings.PATIENCE)).as("%s", analyzer).contains(1);
        assertThat(analyzer.logged().lines().filter(it -> !it.contains(" INFO ") && !it.contains(" WARN ")))
                .singleElement()
                .asString()
                .startsWith(line);
        analyzer.close();
    }

    private static void assertEnds(JavaProcess analyzer, String line) {
        assertThat(analyzer.exit(Surroundings.PATIENCE)).as("%s", analyzer).contains(1);
        assertThat(analyzer.logged().lines().filter(it -> it.startsWith(line))).hasSize(1);
    }

    /** What Kafka Streams would have begun. */
    private List<String> tasks(String instance) throws IOException {
        Path state = folder.resolve("state-" + instance);
        if (!Files.isDirectory(state)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(state)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.matches("\\d+_\\d+"))
                    .toList();
        }
    }

    private static List<String> groups() throws Exception {
        return admin.listGroups().all().get().stream()
                .map(group -> group.groupId())
                .filter(group -> group.startsWith("w-"))
                .toList();
    }

    /** How many records stand on all topics of this prefix. */
    private static long written(String prefix) throws Exception {
        long records = 0;
        List<String> topics = new ArrayList<>(admin.listTopics().names().get());
        topics.removeIf(topic -> !topic.startsWith(prefix));
        for (String topic : topics) {
            var partitions = admin.describeTopics(Set.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions();
            for (var partition : partitions) {
                var at = new TopicPartition(topic, partition.partition());
                records += admin.listOffsets(Map.of(at, OffsetSpec.latest()))
                        .partitionResult(at)
                        .get()
                        .offset();
            }
        }
        return records;
    }
}
