package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.analyzer.cli.CommandResult;
import io.sluice.analyzer.metrics.AnalyzerMetrics;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicNames;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.SluiceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A writer with Kafka's rights and without the key forges operator records and policies; analyzer, agent and commands ignore them. */
@Tag("server")
class SignedRecordsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final TopicNames TOPICS = new TopicNames("sluice.");

    @TempDir
    Path folder;

    @Test
    void forgedRecords_changeNothing_andSignedOnesDo() throws Exception {
        Files.writeString(folder.resolve("keys"), "k1: " + "QUFB".repeat(11) + "\n");
        Files.writeString(folder.resolve("policies.yml"), """
                guard: { atLeast: 3 }
                policies:
                  - { name: noisy, per: [caller], window: 10s, lock: { when: [ { above: 20 } ], mode: block, for: 10m } }
                """);
        try (EmbeddedKafka broker = EmbeddedKafka.builder().start()) {
            Path config = Files.writeString(
                    folder.resolve("sluice.yml"), """
                    kafka: { bootstrap.servers: "%s" }
                    topics: { create: true, partitions: 1, signing-key-file: %s/keys }
                    policies: %s/policies.yml
                    analyzer: { state-dir: %s/state }
                    """.formatted(broker.bootstrapServers(), folder, folder, folder));
            SluiceSettings settings = SluiceSettings.read(config, Map.of());
            try (Analyzer analyzer = Analyzer.start(AnalyzerMain.options(settings));
                    AnalyzerMetrics metrics = AnalyzerMetrics.of(analyzer);
                    GateAgent agent = GateAgent.builder()
                            .bootstrap(broker.bootstrapServers())
                            .service("orders")
                            .signedRecords(folder.resolve("keys"), false)
                            .build()) {
                await().atMost(PATIENCE).until(() -> agent.freshness() == Freshness.FRESH);

                forge(broker);
                await().atMost(PATIENCE).until(() -> agent.status().unsigned() >= 2);
                await().atMost(PATIENCE).until(() -> metrics.scrape().contains("sluice_records_refused_total 2.0"));
                assertThat(rejected(agent, "victim")).isFalse();
                assertThat(agent.reasons()).anyMatch(reason -> reason.contains("have no valid signature"));
                assertThat(sluice("locks", "list"))
                        .contains("warning: 1 of the records of sluice.operator have no valid signature")
                        .doesNotContain("victim");
                assertThat(sluice("policies", "list")).contains("noisy").doesNotContain("forged");

                // so seldom that a bystander's requests of a window are never too many
                await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> {
                    for (int i = 0; i < 20; i++) {
                        rejected(agent, "bystander-" + i);
                        rejected(agent, "noisy");
                    }
                    return rejected(agent, "noisy");
                });
                sluice("locks", "add", "noisy", "by-hand", "--reason", "r");
                await().atMost(PATIENCE).until(() -> rejected(agent, "by-hand"));
                assertThat(sluice("locks", "list")).contains("by-hand");
            }
        }
    }

    private void forge(EmbeddedKafka broker) throws Exception {
        OperatorRecord lock = new OperatorRecord.Lock(
                "noisy",
                List.of("victim"),
                List.of("caller"),
                Mode.BLOCK,
                0,
                3_600_000,
                "mallory",
                "r",
                System.currentTimeMillis());
        byte[] policies = PolicySetJson.writeDesired(PolicyFile.read(
                "policies: [ { name: forged, per: [caller], limit: { rate: 1/m, burst: 1 } } ]"
                        .getBytes(StandardCharsets.UTF_8),
                "forged"));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            TOPICS.operator(), CompositeKey.bytes(OperatorJson.key(lock)), OperatorJson.write(lock)))
                    .get();
            producer.send(new ProducerRecord<>(
                            TOPICS.policies(), PolicySetJson.DESIRED.getBytes(StandardCharsets.UTF_8), policies))
                    .get();
        }
    }

    private static boolean rejected(GateAgent agent, String caller) {
        Request request = agent.request(caller).build();
        try (Verdict verdict = agent.check(request)) {
            agent.log(request, verdict, verdict.allowed() ? 200 : 429, 1, 1);
            return !verdict.allowed();
        }
    }

    private String sluice(String... arguments) {
        CommandResult result = CommandResult.run(Stream.concat(
                        Stream.of(arguments),
                        Stream.of("--config", folder.resolve("sluice.yml").toString()))
                .toArray(String[]::new));
        return result.out() + result.err();
    }
}
