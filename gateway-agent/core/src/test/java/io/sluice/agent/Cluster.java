package io.sluice.agent;

import static org.awaitility.Awaitility.await;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics of their own on a real broker, and what analyzer and operator write to them. */
public final class Cluster implements AutoCloseable {
    static final int PARTITIONS = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Of its topics. */
    public final TopicNames names;

    private final String bootstrap;
    private final KafkaProducer<byte[], byte[]> producer;
    private final ScheduledExecutorService analyzer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong seq = new AtomicLong();

    public Cluster(String bootstrap, String prefix) {
        this.bootstrap = bootstrap;
        names = new TopicNames(prefix);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            new TopicAdministration(admin).create(Topics.definitions(names, PARTITIONS, 1, 600_000));
        }
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** With a producer that drops nothing and sends nothing twice because the broker was slow. */
    public GateAgentBuilder agent() {
        return GateAgent.builder()
                .kafka(Map.of("delivery.timeout.ms", 120_000, "request.timeout.ms", 60_000, "max.block.ms", 60_000))
                .bootstrap(bootstrap)
                .topicPrefix(names.prefix())
                .service("orders");
    }

    /** From now on every partition's task is heard of, until {@link #analyzerDies}. */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails there makes the agent stale, and the test with it
    Cluster analyzerLives() {
        analyzer.scheduleAtFixedRate(
                () -> {
                    for (int partition = 0; partition < PARTITIONS; partition++) {
                        Version version = new Version("decide-" + partition, 1, seq.getAndIncrement());
                        gateRecord(partition, new AnalyzerHeartbeat(version, "test", 0, Map.of("orders", 1)));
                    }
                },
                0,
                200,
                TimeUnit.MILLISECONDS);
        return this;
    }

    /** A heartbeat of one partition's task. */
    void taskBeats(int partition) {
        Version version = new Version("decide-" + partition, 1, seq.getAndIncrement());
        gateRecord(partition, new AnalyzerHeartbeat(version, "test", 0, Map.of("orders", 1)));
    }

    void delete(String topic) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.deleteTopics(List.of(topic)).all().get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Gives a topic more partitions, and waits until clients see them. */
    void partitions(String topic, int partitions) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                    .all()
                    .get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            await().atMost(PATIENCE)
                    .until(() -> consumer.listTopics().get(topic).stream()
                                    .filter(it -> it.leader() != null)
                                    .count()
                            == partitions);
        }
    }

    /** The broker mutes the connections of a client that produces more than this. */
    void quota(String clientId, double bytesPerSecond) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            ClientQuotaEntity entity = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, clientId));
            ClientQuotaAlteration.Op rate = new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond);
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(entity, List.of(rate))))
                    .all()
                    .get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    void analyzerDies() {
        analyzer.shutdownNow();
    }

    void lock(String policy, String caller, Mode mode, long ttl) {
        int partition = Partitions.of(CompositeKey.bytes(List.of(policy, caller)), PARTITIONS);
        Version version = new Version("decide-" + partition, 1, seq.getAndIncrement());
        long now = System.currentTimeMillis();
        gateRecord(
                partition,
                new GateLock(policy, List.of(caller), mode, 0, 0, ttl, now, now + ttl, 1, false, false, null, version));
    }

    void tombstone(String policy, String caller) {
        byte[] key = CompositeKey.bytes(List.of(policy, caller));
        send(new ProducerRecord<>(names.gateLocks(), Partitions.of(key, PARTITIONS), key, null));
    }

    private void gateRecord(int partition, GateRecord record) {
        byte[] key = CompositeKey.bytes(GateKeys.of(record));
        send(new ProducerRecord<>(names.gateLocks(), partition, key, GateLockJson.write(record)));
    }

    void garbage(String topic) {
        send(new ProducerRecord<>(topic, "{".getBytes(StandardCharsets.UTF_8), new byte[] {1, 2, 3}));
    }

    void delete(List<String> topics) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.deleteTopics(topics).all().get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    void operator(OperatorRecord record) {
        send(new ProducerRecord<>(
                names.operator(), CompositeKey.bytes(OperatorJson.key(record)), OperatorJson.write(record)));
    }

    void policies(String json) {
        byte[] key = PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8);
        send(new ProducerRecord<>(names.policies(), key, PolicySetJson.writeActive(set(json))));
    }

    void badPolicies() {
        byte[] key = PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8);
        send(new ProducerRecord<>(names.policies(), key, "{\"policies\":7}".getBytes(StandardCharsets.UTF_8)));
    }

    static PolicySet set(String json) {
        try {
            return PolicySetReader.read(JsonNodes.read(json.getBytes(StandardCharsets.UTF_8), "test"));
        } catch (Exception e) {
            throw new IllegalArgumentException(e);
        }
    }

    private void send(ProducerRecord<byte[], byte[]> record) {
        try {
            // within the delivery timeout of the client, two minutes
            producer.send(record).get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns all records of a topic, once there are {@code count} or two minutes have passed. */
    public List<ConsumerRecord<byte[], byte[]>> read(String topic, int count) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = fromBeginning(topic)) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (found.size() < count && System.nanoTime() < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
            }
        }
        return found;
    }

    /** Returns all records of a topic, up to its end. */
    List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = fromBeginning(topic)) {
            Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
                return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
            });
        }
        return found;
    }

    private KafkaConsumer<byte[], byte[]> fromBeginning(String topic) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(it -> new TopicPartition(topic, it.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return consumer;
    }

    @Override
    public void close() {
        analyzerDies();
        producer.close(Duration.ofSeconds(5));
    }
}
