package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.testing.FreePort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A follower outlives its broker, in whatever order the two start and stop. */
@Tag("server")
@Tag("full")
class TopicFollowerRestartTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOPIC = "followed";

    @TempDir
    private Path folder;

    private final Heard heard = new Heard();
    private int port;

    @BeforeEach
    void port() throws Exception {
        port = FreePort.next();
    }

    @Tag("full")
    @Test
    void itWaitsForABrokerThatIsNotThereYet() throws Exception {
        try (TopicFollower follower = follower()) {
            follower.start();
            await().atMost(PATIENCE).until(() -> follower.trouble() != null);

            try (EmbeddedKafka kafka = broker("data");
                    TestTopics topics = new TestTopics(kafka.bootstrapServers())) {
                topics.create(TOPIC, 1);
                topics.send(TOPIC, 0, "a");
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(heard.all).containsOnlyOnce("a", Heard.END));
            }
        }
    }

    @Tag("full")
    @Test
    void itGoesOnWhereItWasWhenTheBrokerComesBack() throws Exception {
        try (TopicFollower follower = follower()) {
            try (EmbeddedKafka kafka = broker("data");
                    TestTopics topics = new TestTopics(kafka.bootstrapServers())) {
                topics.create(TOPIC, 1);
                topics.send(TOPIC, 0, "a", "b");
                follower.start();
                hears("a", "b", Heard.END);
            }

            try (EmbeddedKafka kafka = broker("data");
                    TestTopics topics = new TestTopics(kafka.bootstrapServers())) {
                topics.send(TOPIC, 0, "c");
                hears("a", "b", Heard.END, "c");
            }
        }
    }

    @Test
    void itStartsOverWhenTheBrokerLostItsData() throws Exception {
        try (TopicFollower follower = follower()) {
            try (EmbeddedKafka kafka = broker("data");
                    TestTopics topics = new TestTopics(kafka.bootstrapServers())) {
                topics.create(TOPIC, 1);
                topics.send(TOPIC, 0, "a", "b");
                follower.start();
                hears("a", "b", Heard.END);
            }

            try (EmbeddedKafka kafka = broker("other-data");
                    TestTopics topics = new TestTopics(kafka.bootstrapServers())) {
                topics.create(TOPIC, 1);
                topics.send(TOPIC, 0, "c");
                // the follower may find the new topic before anything is sent to it
                await().atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(heard.all).startsWith("a", "b", Heard.END, Heard.AGAIN);
                    assertThat(heard.all.subList(4, heard.all.size())).containsExactlyInAnyOrder("c", Heard.END);
                });
            }
        }
    }

    private EmbeddedKafka broker(String data) {
        return EmbeddedKafka.builder().port(port).data(folder.resolve(data)).start();
    }

    private TopicFollower follower() {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + port,
                "metadata.max.age.ms",
                500,
                "default.api.timeout.ms",
                2_000,
                "request.timeout.ms",
                2_000);
        return new TopicFollower(config, List.of(TOPIC), heard);
    }

    private void hears(String... expected) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(heard.all).containsExactly(expected));
    }
}
