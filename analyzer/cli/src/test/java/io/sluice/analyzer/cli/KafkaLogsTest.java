package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.Lines;
import io.sluice.analyzer.replay.TopicLogs;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.Node;
import io.sluice.kafka.embedded.EmbeddedKafka;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays of what a real broker holds. */
@Tag("server")
class KafkaLogsTest {
    private static final long HOUR = 3_600_000;
    private static final Map<String, String> CREATE_TIME = Map.of("message.timestamp.type", "CreateTime");

    @TempDir
    Path folder;

    private static CommandResult replay(String... arguments) {
        List<String> all = new ArrayList<>(List.of("replay"));
        all.addAll(List.of(arguments));
        return CommandResult.run(all.toArray(String[]::new));
    }

    private String config(String bootstrap, String source) throws IOException {
        return Files.writeString(folder.resolve("sluice.yml"), """
                kafka: { bootstrap.servers: "%s" }
                sources: [ %s ]
                """.formatted(bootstrap, source))
                .toString();
    }

    private String config(String source) throws IOException {
        return config(TestKafka.bootstrapServers(), source);
    }

    private static String json(String topic) {
        return "{ topic: " + topic + ", format: json }";
    }

    private static String event(String caller, long time) {
        return "{\"time\":" + time + ",\"caller\":\"" + caller + "\"}";
    }

    private static List<String> lines(AccessLog log) throws IOException {
        List<String> all = new ArrayList<>();
        try (Lines lines = log.lines()) {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                all.add(lines.number() + " " + TestKafka.text(line));
            }
        }
        return all;
    }

    private static List<AccessLog> open(String config, String topic, long since) throws IOException {
        return new KafkaLogs()
                .open(
                        new TopicLogs.Wanted(Path.of(config), null, topic, since, null, List.of()),
                        new PrintWriter(new StringWriter()));
    }

    private static void produce(String topic, int partition, long timestamp, String value) {
        try (KafkaProducer<byte[], byte[]> producer = TestKafka.producer()) {
            var unused = producer.send(new ProducerRecord<>(topic, partition, timestamp, null, TestKafka.utf8(value)));
        }
    }

    @Test
    void aTopicGivesTheLocksThatItsEventsGiveAsAFile() throws Exception {
        String topic = TestKafka.topic(TestKafka.name("replayed"), 3);
        long now = System.currentTimeMillis();
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            events.add(event(i % 4 == 0 ? "acme" : "zen-" + i % 40, now + i * 100L));
        }
        TestKafka.send(topic, events);
        Path file = Files.write(folder.resolve("events.log"), events);
        String policies = Files.writeString(
                        folder.resolve("policies.yml"),
                        "policies: [{ name: noisy, per: [caller], window: 10s, lock: { when: [{ above: 20 }] } }]")
                .toString();
        Path ofTopic = folder.resolve("topic.json");
        Path ofFile = folder.resolve("file.json");

        CommandResult topicRun = replay(
                "--topic",
                topic,
                "--config",
                config(json(topic)),
                "--policies",
                policies,
                "--report",
                ofTopic.toString());
        CommandResult fileRun = replay("--policies", policies, "--report", ofFile.toString(), file.toString());

        assertThat(topicRun.err() + fileRun.err()).isEmpty();
        assertThat(topicRun.code() + fileRun.code()).isZero();
        Node locks = ((Node.Mapping) JsonNodes.read(Files.readAllBytes(ofTopic), "report")).value("locks");
        assertThat(((Node.Listing) locks).items()).isNotEmpty();
        assertThat(new String(JsonNodes.write(locks), StandardCharsets.UTF_8))
                .isEqualTo(new String(
                        JsonNodes.write(
                                ((Node.Mapping) JsonNodes.read(Files.readAllBytes(ofFile), "report")).value("locks")),
                        StandardCharsets.UTF_8));
        assertThat(topicRun.out())
                .contains(topic + "-")
                .contains(" lines, json")
                .contains("400 events");
    }

    @Test
    void onlyWhatIsOfThatTimeIsReadAndOnlyUpToTheEndOfThen() throws Exception {
        String topic = TestKafka.topic(TestKafka.name("since"), 2, CREATE_TIME);
        long now = System.currentTimeMillis();
        produce(topic, 0, now - 3 * HOUR, event("long-ago", 1));
        produce(topic, 0, now - HOUR, event("an-hour-ago", 2));
        produce(topic, 1, now - 3 * HOUR, event("quiet", 3));

        List<AccessLog> logs = open(config(json(topic)), topic, 2 * HOUR);
        produce(topic, 0, now, event("too-late", 4));

        assertThat(logs).extracting(AccessLog::name).containsExactly(topic + "-0");
        assertThat(lines(logs.get(0))).containsExactly("1 " + event("an-hour-ago", 2));
        assertThat(lines(logs.get(0))).containsExactly("1 " + event("an-hour-ago", 2));
    }

    @Test
    void whatWasRolledBackIsNotRead() throws Exception {
        String topic = TestKafka.topic(TestKafka.name("transactions"), 1);
        Map<String, Object> client = TestKafka.client();
        client.put("transactional.id", TestKafka.name("writer"));
        try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            var unused = producer.send(new ProducerRecord<>(topic, TestKafka.utf8(event("kept", 1))));
            producer.commitTransaction();
            producer.beginTransaction();
            unused = producer.send(new ProducerRecord<>(topic, TestKafka.utf8(event("rolled-back", 2))));
            producer.flush();
            producer.abortTransaction();
        }

        assertThat(lines(open(config(json(topic)), topic, HOUR).get(0))).containsExactly("0 " + event("kept", 1));
    }

    @Test
    void aRecordWithoutAValueIsADeadLetterAtItsOffset() throws Exception {
        String topic = TestKafka.topic(TestKafka.name("empty-values"), 1);
        TestKafka.send(topic, List.of(event("acme", 1)));
        TestKafka.send(topic, "acme", null);

        CommandResult result = replay("--topic", topic, "--config", config(json(topic)));

        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("1 line could not be read").contains("line 1");
    }

    @Tag("full")
    @Test
    void aTopicIsReadAsConfiguredUnlessItIsSaidOtherwise() throws Exception {
        String topic = TestKafka.topic(TestKafka.name("web"), 1);
        TestKafka.send(
                topic,
                List.of("203.0.113.9 - ann [02/Mar/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"curl\""));
        String config = config("{ topic: " + topic + ", format: combined, caller: $remote_user }");

        assertThat(replay("--topic", topic, "--config", config).out())
                .contains(" ann")
                .doesNotContain("203.0.113.9");
        assertThat(replay("--topic", topic, "--config", config, "--caller", "$remote_addr")
                        .out())
                .contains("203.0.113.9")
                .doesNotContain(" ann");
    }

    @Test
    void aTopicThatIsNoSourceNeedsAFormat() throws Exception {
        String topic = TestKafka.topic(TestKafka.name("unknown"), 1);
        TestKafka.send(topic, List.of(event("acme", 1)));
        String config = config(json("sluice.requests"));

        CommandResult without = replay("--topic", topic, "--config", config);
        CommandResult with = replay("--topic", topic, "--config", config, "--format", "json");

        assertThat(without.code()).isEqualTo(1);
        assertThat(without.err())
                .contains("is none of the sources")
                .contains("sluice.requests")
                .contains("--format");
        assertThat(with.code()).as(with.err()).isZero();
        assertThat(with.out()).contains("1 event of 1 caller");
    }

    @Tag("full")
    @Test
    void aTopicThatIsNotThereIsNamed() throws Exception {
        CommandResult result = replay("--topic", "nowhere", "--config", config(json("nowhere")));

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("replay: no topic nowhere on this cluster");
    }

    @Tag("full")
    @Test
    void aTopicThatHoldsNothingOfThatTimeSaysSo() throws Exception {
        String topic = TestKafka.topic(TestKafka.name("old"), 2, CREATE_TIME);
        produce(topic, 0, System.currentTimeMillis() - 3 * HOUR, event("acme", 1));

        CommandResult result = replay("--topic", topic, "--since", "2h", "--config", config(json(topic)));

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("topic " + topic + " holds nothing of the last 2h");
    }

    @Test
    void settingsThatAreWrongAreTold() throws Exception {
        CommandResult result = replay("--topic", "t", "--config", config("{ topic: t, fromat: json }"));

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("fromat");
    }

    @Tag("full")
    @Test
    void aBrokerThatIsNotThereEndsInAnError() throws Exception {
        String config = config("127.0.0.1:1", json("t"));

        CommandResult result = replay("--topic", "t", "--config", config);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("Kafka at 127.0.0.1:1 refused the connection");
    }

    @Tag("full")
    @Test
    void aBrokerThatDiesMeanwhileEndsInAnErrorToo() throws Exception {
        List<AccessLog> logs;
        try (EmbeddedKafka broker = EmbeddedKafka.builder().start()) {
            Map<String, Object> client = Map.of("bootstrap.servers", broker.bootstrapServers());
            try (Admin admin = Admin.create(client);
                    var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
                admin.createTopics(List.of(new NewTopic("t", 1, (short) 1)))
                        .all()
                        .get();
                var unused = producer.send(new ProducerRecord<>("t", TestKafka.utf8(event("acme", 1))))
                        .get();
            }
            logs = open(config(broker.bootstrapServers(), json("t")), "t", HOUR);
        }

        try (Lines lines = logs.get(0).lines()) {
            assertThatThrownBy(lines::next)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("t-0: nothing came for " + Connection.PATIENCE.toSeconds() + " s");
        }
    }
}
