package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.topic.TopicReader;
import io.sluice.demo.stage.LockHistory;
import io.sluice.demo.stage.SeenLock;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.settings.SluiceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An analyzer and two agents that share nothing but a broker. */
@Tag("server")
class EndToEndTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String POLICIES = """
            {"policies":[{"name":"noisy","per":["caller"],"window":"5s","panes":50,
             "lock":{"when":[{"above":300}],"mode":"block","for":"6s"}}]}""";

    @TempDir
    Path folder;

    private EmbeddedKafka kafka;
    private Analyzer analyzer;
    private List<GateAgent> agents;

    @BeforeEach
    void start() throws Exception {
        kafka = EmbeddedKafka.builder().start();
        SluiceSettings settings = SluiceSettings.read(
                null,
                Map.of(
                        "SLUICE_KAFKA_BOOTSTRAP_SERVERS",
                        kafka.bootstrapServers(),
                        "SLUICE_TOPICS_CREATE",
                        "true",
                        "SLUICE_ANALYZER_INSTANCE",
                        "end-to-end",
                        "SLUICE_ANALYZER_STATE_DIR",
                        folder.toString()));
        PolicySet policies =
                PolicySetReader.read(JsonNodes.read(POLICIES.getBytes(StandardCharsets.UTF_8), "policies"));
        analyzer = Analyzer.start(AnalyzerOptions.of(settings, settings.kafka().client(), policies));
        agents = List.of(agent("orders-1"), agent("orders-2"));
        await().atMost(PATIENCE).until(() -> agents.stream().allMatch(agent -> agent.freshness() == Freshness.FRESH));
    }

    private GateAgent agent(String id) {
        return GateAgent.builder()
                // nothing is dropped because the broker was slow
                .kafka(Map.of("delivery.timeout.ms", 120_000, "max.block.ms", 60_000))
                .bootstrap(kafka.bootstrapServers())
                .service("orders")
                .id(id)
                .heartbeat(Duration.ofSeconds(1))
                .build();
    }

    @AfterEach
    void stop() {
        agents.forEach(GateAgent::close);
        analyzer.close();
        kafka.close();
    }

    /** All that are on the topic. */
    private List<SeenLock> locks() {
        LockHistory history = new LockHistory();
        read(history::record);
        return history.locks();
    }

    /** When agents let the last lock go: its lease begins when the broker appends the record. */
    private long leaseEnd() {
        List<Long> ends = new ArrayList<>();
        read(record -> {
            try {
                if (record.value() != null
                        && GateLockJson.read(record.value()).orElseThrow() instanceof GateLock lock
                        && lock.mode() != Mode.OPEN) {
                    ends.add(record.timestamp() + lock.ttlMillis());
                }
            } catch (MalformedRecord e) {
                throw new IllegalStateException(e);
            }
        });
        return Collections.max(ends);
    }

    private void read(Consumer<ConsumerRecord<byte[], byte[]>> to) {
        try (TopicReader reader = new TopicReader(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                IsolationLevel.READ_COMMITTED,
                PATIENCE,
                PATIENCE)) {
            reader.read(reader.since(List.of("sluice.gate-locks"), 0), to);
        }
    }

    @Test
    void aNoisyCallerIsLockedByEveryAgentAndItsLockEndsWithoutTheAnalyzer() {
        try (AgentTraffic traffic = AgentTraffic.start(agents)) {
            await().atMost(PATIENCE).until(() -> traffic.lockedOut("noisy", agents));
            assertThat(locks()).isNotEmpty().allMatch(lock -> lock.caller().equals("noisy"));

            analyzer.close();
            await().atMost(PATIENCE).until(() -> traffic.passesAgain("noisy", agents));

            assertThat(traffic.lastRejection("noisy")).isLessThanOrEqualTo(leaseEnd() + 1000);
            assertThat(traffic.rejections("quiet")).isZero();
            await().atMost(PATIENCE)
                    .until(() -> agents.stream().allMatch(agent -> agent.freshness() == Freshness.STALE));
            assertThat(agents).allSatisfy(agent -> {
                assertThat(agent.status().failures()).isZero();
                assertThat(agent.status().drops()).isZero();
            });
        }
    }
}
