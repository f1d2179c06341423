package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.faults.history.Entry;
import io.sluice.faults.history.TopicHistory;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.OurTopics;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.report.Reliability;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records of a later version stand on every topic, as they do while a fleet is upgraded or after it was taken back: with fields
 * that are unknown yet, and of a format that cannot be read yet.
 */
class TomorrowsRecordsTest {
    private static final int PARTITIONS = 2;
    private static final long AHEAD = 3_600_000;
    /** Of a later format, as the agent meets them: a lock, an operator's lock, release and kill switch. */
    private static final int LATER = 4;

    private static final String POLICIES = """
            guard: { subjects: 100%, atLeast: 1000 }
            policies:
              - name: busy
                per: [caller]
                window: 10s
                panes: 10
                lock: { when: [{ above: 20 }], mode: block, for: 5m }
            """;
    private static final Evidence EVIDENCE =
            new Evidence("above", 21, 20, "requests", 10_000, 21, 0, 1, 1, "busy@0123456789abcdef");

    @TempDir
    Path folder;

    private long seq;

    @Test
    void theyAreReadWhereTheyCanBeAndElseLeftAlone() {
        try (FaultyBroker broker = FaultyBroker.start();
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", broker.bootstrap()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            OurTopics.make(broker.bootstrap(), "t.", PARTITIONS);
            try (Surroundings around =
                    new Surroundings(folder, broker.bootstrap(), "t.", PARTITIONS, POLICIES, "max-lease: 60s")) {
                long epoch = System.currentTimeMillis() + AHEAD;
                AgentProcess agent = aLaterAnalyzer(around, producer, epoch);
                aLaterOperator(around, producer, agent);
                todaysAnalyzer(around, producer, agent, epoch);
            }
        }
    }

    /** The agent is today's. */
    private AgentProcess aLaterAnalyzer(Surroundings around, KafkaProducer<byte[], byte[]> producer, long epoch) {
        byte[] active = PolicySetJson.writeActive(around.policies());
        send(producer, around.topics.policies(), 0, PolicySetJson.ACTIVE, laterFields(active));
        AgentProcess agent = AgentProcess.start(AgentProcess.of(
                "agent-1", folder, Map.of("bootstrap", around.bootstrap, "prefix", around.topics.prefix())));
        around.add(agent);
        around.awaiting(() -> {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                gate(around, producer, partition, laterFields(GateLockJson.write(heartbeat(partition, epoch))));
            }
            assertThat(agent.freshness()).isEqualTo(Freshness.FRESH);
        });
        lock(around, producer, lock("amber", Mode.BLOCK, epoch), Change.LATER_FIELDS);
        lock(around, producer, lock("birch", Mode.BLOCK, epoch), Change.LATER_FORMAT);
        lock(around, producer, lock("cedar", Mode.BLOCK, epoch), Change.LATER_MODE);
        lock(around, producer, lock("dogwood", Mode.BLOCK, epoch), Change.NONE);
        around.awaitEverywhere(List.of("dogwood"), "LOCKED:busy");
        around.awaiting(() -> assertThat(agent.table("amber", "birch", "cedar"))
                .isEqualTo("{amber=LOCKED:busy, birch=pass, cedar=pass}"));
        return agent;
    }

    private void aLaterOperator(Surroundings around, KafkaProducer<byte[], byte[]> producer, AgentProcess agent) {
        operator(
                around,
                producer,
                new OperatorRecord.Lock("busy", List.of("elder"), Mode.BLOCK, 0, 0, "a", "b", 1),
                true);
        operator(
                around,
                producer,
                new OperatorRecord.Lock("busy", List.of("fir"), Mode.BLOCK, 0, 0, "a", "b", 1),
                false);
        operator(around, producer, new OperatorRecord.Release("busy", List.of("amber"), 0, "a", "b", 1), false);
        operator(around, producer, new OperatorRecord.Enforce(null, false, 0, "a", "b", 1), false);
        operator(
                around,
                producer,
                new OperatorRecord.Lock("busy", List.of("gorse"), Mode.BLOCK, 0, 0, "a", "b", 1),
                true);
        around.awaitEverywhere(List.of("gorse"), "LOCKED:busy");
        assertThat(agent.table("amber", "elder", "fir")).isEqualTo("{amber=LOCKED:busy, elder=LOCKED:busy, fir=pass}");
    }

    private void todaysAnalyzer(
            Surroundings around, KafkaProducer<byte[], byte[]> producer, AgentProcess agent, long epoch) {
        byte[] desired = PolicySetJson.writeDesired(around.policies());
        send(producer, around.topics.policies(), 0, PolicySetJson.DESIRED, laterFormat(desired));
        AgentHeartbeat other =
                new AgentHeartbeat("agent-2", "orders", Freshness.FRESH, 0, 0, 0, 0, 1, Map.of(), Map.of());
        send(producer, around.topics.agents(), 0, "agent-2", laterFields(AgentHeartbeatJson.write(other)));
        send(producer, around.topics.agents(), 0, "agent-3", laterFormat(AgentHeartbeatJson.write(other)));
        around.start(around.analyzer("a"));
        around.awaitAble(0, "a");
        byte[] position = UsageCodec.write(new MeterPosition(1, new Origin(0, epoch), 1));
        position[0] = (byte) (position[0] + 0x10);
        var unusedUsage = producer.send(new ProducerRecord<>(
                around.topics.usage(), 0, UsageKey.ofMeter(0).bytes(), position));
        for (int call = 0; call <= 20; call++) {
            byte[] request = request("noisy");
            var unusedGood = producer.send(new ProducerRecord<>(around.topics.requests(), laterFields(request)));
            var unusedBad = producer.send(new ProducerRecord<>(around.topics.requests(), laterFormat(request("calm"))));
        }
        producer.flush();
        around.awaitEverywhere(List.of("noisy"), "LOCKED:busy");

        assertThat(agent.table("amber", "calm")).isEqualTo("{amber=LOCKED:busy, calm=pass}");
        assertThat(around.heartbeats().backwards()).isEmpty();
        around.awaiting(() -> assertThat(TopicHistory.of(around.bootstrap, around.topics))
                .filteredOn(entry -> entry.kind() == Entry.Kind.DEAD_LETTER)
                .hasSize(21 + 1));
        String status = agent.status();
        assertThat(status).contains(" newer=" + LATER + " ").contains(" malformed=0 ");
        assertThat(around.end().noFailures()).isEmpty();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("with unknown fields", "all read");
        figures.put("requests and usage of a later format", "22, all in dead letters");
        figures.put("the agent counted of a later format", AgentProcess.number(status, "newer"));
        Reliability.tell(
                15,
                "records of a later version on every topic",
                "unknown fields are passed over, a later format is counted and left alone, an unknown mode only reports",
                TomorrowsRecordsTest.class,
                figures);
    }

    private enum Change {
        NONE,
        LATER_FIELDS,
        LATER_FORMAT,
        LATER_MODE
    }

    private void lock(Surroundings around, KafkaProducer<byte[], byte[]> producer, GateLock lock, Change change) {
        byte[] bytes = GateLockJson.write(lock);
        gate(
                around,
                producer,
                partition(lock.subject()),
                switch (change) {
                    case NONE -> bytes;
                    case LATER_FIELDS -> laterFields(bytes);
                    case LATER_FORMAT -> laterFormat(bytes);
                    case LATER_MODE -> replaced(bytes, "\"block\"", "\"dim\"");
                });
    }

    private void gate(Surroundings around, KafkaProducer<byte[], byte[]> producer, int partition, byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        List<String> key = text.contains("\"heartbeat\"")
                ? GateKeys.heartbeat("decide-" + partition)
                : GateKeys.key("busy", List.of(text.replaceFirst(".*\"subject\":\\[\"([a-z]+)\"].*", "$1")));
        send(producer, around.topics.gateLocks(), partition, CompositeKey.bytes(key), value);
    }

    private GateLock lock(String caller, Mode mode, long epoch) {
        return new GateLock(
                "busy",
                List.of(caller),
                mode,
                0,
                0,
                600_000,
                1,
                epoch,
                1,
                false,
                false,
                EVIDENCE,
                new Version("decide-" + partition(List.of(caller)), epoch, ++seq));
    }

    private GateRecord heartbeat(int partition, long epoch) {
        return new AnalyzerHeartbeat(new Version("decide-" + partition, epoch, ++seq), "later", 1, Map.of());
    }

    private static int partition(List<String> subject) {
        return Partitions.of(CompositeKey.bytes(GateKeys.key("busy", subject)), PARTITIONS);
    }

    private static void operator(
            Surroundings around, KafkaProducer<byte[], byte[]> producer, OperatorRecord said, boolean readable) {
        byte[] bytes = OperatorJson.write(said);
        send(
                producer,
                around.topics.operator(),
                0,
                CompositeKey.bytes(OperatorJson.key(said)),
                readable ? laterFields(bytes) : laterFormat(bytes));
    }

    private static byte[] request(String caller) {
        return ("{\"time\":" + System.currentTimeMillis() + ",\"caller\":\"" + caller
                        + "\",\"type\":\"request\",\"format\":1}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] laterFields(byte[] json) {
        return ("{\"later\":{\"a\":[1,{\"b\":null}],\"format\":7},"
                        + new String(json, StandardCharsets.UTF_8).substring(1))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] laterFormat(byte[] json) {
        return replaced(json, "\"format\":1", "\"format\":2");
    }

    private static byte[] replaced(byte[] json, String what, String by) {
        String text = new String(json, StandardCharsets.UTF_8);
        assertThat(text).contains(what);
        return text.replace(what, by).getBytes(StandardCharsets.UTF_8);
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer, String topic, int partition, String key, byte[] value) {
        send(producer, topic, partition, key.getBytes(StandardCharsets.UTF_8), value);
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer, String topic, int partition, byte[] key, byte[] value) {
        var unused = producer.send(new ProducerRecord<>(topic, partition, key, value));
        producer.flush();
    }
}
