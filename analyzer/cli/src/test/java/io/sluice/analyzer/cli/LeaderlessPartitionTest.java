package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.OperatorAction;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands on a cluster where a partition of every topic has no leader. */
@Tag("server")
class LeaderlessPartitionTest {
    private static final TopicNames TOPICS = new TopicNames("sluice.");

    private static ClusterWithLostBroker cluster;

    @BeforeAll
    static void aClusterThatLostABroker() throws Exception {
        cluster = new ClusterWithLostBroker(List.of(
                TOPICS.requests(),
                TOPICS.gateLocks(),
                TOPICS.operator(),
                TOPICS.policies(),
                TOPICS.agents(),
                TOPICS.decisions(),
                TOPICS.deadLetters()));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static void write(String topic, byte[] key, byte[] value, Map<String, String> headers) {
        try (var producer =
                new KafkaProducer<>(cluster.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
            var record = new ProducerRecord<>(topic, 0, key, value);
            headers.forEach((name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
            var unused = producer.send(record);
        }
    }

    private static CommandResult run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--bootstrap");
        all.add(cluster.bootstrapServers());
        return CommandResult.run(all.toArray(String[]::new));
    }

    private static void assertMissing(CommandResult result, String... topics) {
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.err().lines()).hasSize(1);
        for (String topic : topics) {
            assertThat(result.err()).contains("no leader").contains(topic + "-1");
        }
    }

    @Test
    void deadLettersList_partitionWithoutLeader_listsTheOthersAndNamesIt() {
        write(
                TOPICS.deadLetters(),
                new byte[0],
                "broken".getBytes(StandardCharsets.UTF_8),
                Map.of(
                        "sluice.reason", "not valid JSON",
                        "sluice.topic", "web",
                        "sluice.partition", "0",
                        "sluice.offset", "17"));

        CommandResult result = run("dead-letters", "list");

        assertMissing(result, TOPICS.deadLetters());
        assertThat(result.out()).contains("not valid JSON").contains("web-0@17");
    }

    @Test
    void agentsList_partitionWithoutLeader_listsTheOthersAndNamesIt() {
        AgentHeartbeat beat =
                new AgentHeartbeat("orders-1", "orders", Freshness.FRESH, 2, 1_000, 30, 4, 0, Map.of(), Map.of());
        write(TOPICS.agents(), AgentHeartbeatJson.key("orders-1"), AgentHeartbeatJson.write(beat), Map.of());

        CommandResult result = run("agents", "list");

        assertMissing(result, TOPICS.agents());
        assertThat(result.out()).contains("orders-1");
    }

    @Test
    void locksList_partitionsWithoutLeader_namesThemAll() {
        assertMissing(run("locks", "list"), TOPICS.gateLocks(), TOPICS.operator());
    }

    @Tag("full")
    @Test
    void locksListWatch_partitionsWithoutLeader_namesThemAll() {
        assertMissing(run("locks", "list", "--watch", "--for", "1ms"), TOPICS.gateLocks(), TOPICS.operator());
    }

    @Tag("full")
    @Test
    void locksHistory_partitionWithoutLeader_listsTheOthersAndNamesIt() throws Exception {
        OperatorAction action = new OperatorAction(new OperatorRecord.Lock(
                "noisy", List.of("acme"), Mode.BLOCK, 0, 60_000, "ann", "incident", System.currentTimeMillis()));
        write(TOPICS.decisions(), CompositeKey.bytes(DecisionJson.key(action)), DecisionJson.write(action), Map.of());

        CommandResult result = run("locks", "history");

        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.err()).contains("no leader answers for " + TOPICS.decisions() + "-1");
        assertThat(result.out()).contains("noisy").contains("ann").contains("incident");
    }

    @Test
    void replay_partitionWithoutLeader_readsTheOthersAndNamesIt() {
        write(
                TOPICS.requests(),
                new byte[0],
                ("{\"time\":" + System.currentTimeMillis() + ",\"caller\":\"acme\"}").getBytes(StandardCharsets.UTF_8),
                Map.of());

        CommandResult result = run("replay", "--topic", TOPICS.requests());

        assertMissing(result, TOPICS.requests());
        assertThat(result.out()).contains("1 event of 1 caller");
    }
}
