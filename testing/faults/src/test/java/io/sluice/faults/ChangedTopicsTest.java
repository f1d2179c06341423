package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.process.AnalyzerProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics go, or grow, while analyzers work with them. */
class ChangedTopicsTest {
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
                "topics deleted and grown under running analyzers",
                "a clear line each with the remedy, exit 1",
                ChangedTopicsTest.class,
                FIGURES);
    }

    /** An analyzer of its own for each topic. */
    private record Gone(String topic, Surroundings around, JavaProcess analyzer) {}

    @Test
    void aTopicThatGoesEndsTheAnalyzerAndItIsRefusedUntilTheTopicIsBack() throws Exception {
        List<Gone> all = new ArrayList<>();
        try {
            for (String topic : List.of("requests", "usage", "gate-locks")) {
                Path its = Files.createDirectories(folder.resolve(topic));
                Surroundings around = new Surroundings(
                        its, broker.bootstrap(), "gone-" + topic + ".", PARTITIONS, POLICIES, "max-lease: 60s");
                all.add(new Gone(topic, around, around.start(around.analyzer("a"))));
            }
            for (Gone gone : all) {
                gone.around.awaitAble(0, "a");
            }
            for (Gone gone : all) {
                changes.delete(gone.around.topics.prefix() + gone.topic);
            }
            for (Gone gone : all) {
                String topic = "topic " + gone.around.topics.prefix() + gone.topic + ": ";
                Endings.assertEnds(gone.analyzer, topic + "was deleted while the analyzer ran; ./sluice topics create");
                Endings.assertRefused(
                        JavaProcess.start(spec("b-" + gone.topic, gone.around.topics.prefix())),
                        topic + "is missing; ./sluice topics create");
                gone.analyzer.restart();
            }
            for (Gone gone : all) {
                gone.around.awaitAble(System.currentTimeMillis(), "a");
                assertThat(gone.analyzer.alive()).isTrue();
            }
        } finally {
            all.forEach(gone -> gone.around.close());
        }
        FIGURES.put("a deleted topic: requests, usage, gate-locks", "ended, refused, made again");
    }

    @Test
    void partitionsThatChangeUnderAnAnalyzerEndItAndItSaysWhatToDo() throws Exception {
        try (Surroundings around =
                new Surroundings(folder, broker.bootstrap(), "grown.", PARTITIONS, POLICIES, "max-lease: 60s")) {
            JavaProcess analyzer = around.start(around.analyzer("a"));
            around.awaitAble(0, "a");

            changes.grow(around.topics.usage(), PARTITIONS + 1);
            changes.grow(around.topics.gateLocks(), PARTITIONS + 1);
            Endings.assertEnds(analyzer, "topic grown.usage: has 3 partitions, and had 2 when the analyzer started");
            Endings.assertRefused(
                    JavaProcess.start(spec("b", "grown.")),
                    "topic grown.usage: has 3 partitions, and the analyzer's state in grown.sluice-analyzer-leases-changelog was made for 2;"
                            + " stop the analyzers, delete analyzer.state-dir, then kafka-topics ");
            FIGURES.put("partitions changed under an analyzer", "ended, refused with the remedy");
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
}
