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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics are wrong, and two processes want one state directory: a process that can't work reports it in a line and begins nothing. */
class WrongTopicsTest {
    private static final int PARTITIONS = 2;
    private static final String POLICIES = UsualPolicies.busy();
    private static final Map<String, Object> FIGURES = new LinkedHashMap<>();
    private static FaultyBroker broker;
    private static TopicChanges changes;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        broker = FaultyBroker.start();
        changes = new TopicChanges(broker.bootstrap());
    }

    @AfterAll
    static void stop() {
        changes.close();
        broker.close();
        Reliability.tell(
                11,
                "wrong topics, two processes on one state directory",
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
                case DELETED_WHEN_OLD -> changes.set(name, "cleanup.policy", "delete");
                case PRODUCERS_TIME -> changes.set(name, "message.timestamp.type", "CreateTime");
                case KEPT_FOR_A_MINUTE -> changes.set(name, "retention.ms", "60000");
                case TINY_RECORDS -> changes.set(name, "max.message.bytes", "1024");
                case TWO_ORDERS -> changes.grow(name, 2);
                case UNEQUAL -> changes.grow(names.usage(), PARTITIONS + 1);
                case MISSING -> changes.delete(name);
                case MADE_BY_A_CLIENT -> {
                    changes.delete(name);
                    changes.makeByDefault(name);
                }
            }
        }
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
                Endings.assertRefused(analyzer, way.line());
                assertThat(tasks(way.name())).isEmpty();
            }
            assertThat(changes.groups("w-")).as("consumer groups").isEmpty();
            for (Way way : Way.values()) {
                assertThat(changes.written(way.prefix())).as(way.name()).isZero();
            }
        } finally {
            analyzers.values().forEach(JavaProcess::close);
        }
        FIGURES.put("wrong in so many ways", Way.values().length + ", a line each");
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
            Endings.assertRefused(
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
        return AnalyzerProcess.withoutTopics(
                instance,
                folder,
                broker.bootstrap(),
                prefix,
                PARTITIONS,
                Files.writeString(folder.resolve("policies.yml"), POLICIES));
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
}
