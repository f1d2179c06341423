package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.kafka.embedded.EmbeddedKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class TopicReaderTest {
    private static EmbeddedKafka kafka;
    private static TestTopics topics;

    private final String topic = "read-" + UUID.randomUUID();
    private final TopicPartition first = new TopicPartition(topic, 0);
    private final TopicPartition second = new TopicPartition(topic, 1);
    private final TopicReader reader = reader(Duration.ofSeconds(60));

    @BeforeAll
    static void start() {
        kafka = EmbeddedKafka.builder().start();
        topics = new TestTopics(kafka.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        topics.close();
        kafka.close();
    }

    @AfterEach
    void close() {
        reader.close();
    }

    private static TopicReader reader(Duration answer) {
        return new TopicReader(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                IsolationLevel.READ_COMMITTED,
                answer,
                Duration.ofSeconds(60));
    }

    private List<String> read(List<OffsetRange> ranges) {
        List<String> values = new ArrayList<>();
        reader.read(ranges, record -> values.add(value(record)));
        return values;
    }

    private static String value(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.value(), StandardCharsets.UTF_8);
    }

    private void sendAt(long time, String value) throws Exception {
        try (var producer = producer(Map.of())) {
            producer.send(new ProducerRecord<>(topic, 0, time, null, value.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", kafka.bootstrapServers());
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Test
    void since_time_readsFromTheFirstRecordOfThatTimeToTheEndOfThen() throws Exception {
        topics.create(topic, 2);
        sendAt(1_000, "old");
        sendAt(2_000, "new");

        List<OffsetRange> ranges = reader.since(List.of(topic), 1_500);
        topics.send(topic, 0, "later");

        assertThat(ranges)
                .containsExactly(new OffsetRange(first, 0, 1, 2, 2_000), new OffsetRange(second, 0, 0, 0, -1));
        assertThat(read(ranges)).containsExactly("new");
        assertThat(read(ranges)).containsExactly("new");
    }

    @Test
    void since_zero_readsSeveralTopicsWhole() throws Exception {
        topics.create(topic, 2);
        topics.create(topic + "-2", 1);
        topics.send(topic, 0, "a");
        topics.send(topic, 1, "b");
        topics.send(topic + "-2", 0, "c");

        assertThat(read(reader.since(List.of(topic, topic + "-2"), 0))).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void since_missingTopic_isNamed() {
        assertThatThrownBy(() -> reader.since(List.of(topic), 0))
                .isInstanceOf(UnknownTopicOrPartitionException.class)
                .hasMessage("no topic " + topic + " on this cluster");
    }

    @Test
    void from_offsets_readsWhatWasAppendedSinceAndPartitionsWithoutOffsetWhole() throws Exception {
        topics.create(topic, 2);
        topics.send(topic, 0, "a", "b");
        topics.send(topic, 1, "c");

        assertThat(read(reader.from(topic, Map.of(first, 1L)))).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void newest_moreThanThereAre_readsAll() throws Exception {
        topics.create(topic, 1);
        topics.send(topic, 0, "a", "b", "c");

        assertThat(read(reader.newest(topic, 2))).containsExactly("b", "c");
        assertThat(read(reader.newest(topic, 4))).containsExactly("a", "b", "c");
    }

    @Test
    void read_transactions_passesMarkersAndSkipsWhatWasAborted() throws Exception {
        topics.create(topic, 1);
        try (var producer = producer(Map.of("transactional.id", topic))) {
            producer.initTransactions();
            producer.beginTransaction();
            var unused = producer.send(new ProducerRecord<>(topic, 0, null, "kept".getBytes(StandardCharsets.UTF_8)));
            producer.commitTransaction();
            producer.beginTransaction();
            unused = producer.send(new ProducerRecord<>(topic, 0, null, "aborted".getBytes(StandardCharsets.UTF_8)));
            producer.flush();
            producer.abortTransaction();
        }

        assertThat(read(reader.since(List.of(topic), 0))).containsExactly("kept");
    }

    @Test
    void skip_partition_readsTheOthersToTheirEnds() throws Exception {
        topics.create(topic, 2);
        topics.send(topic, 0, "a", "a", "a");
        topics.send(topic, 1, "b", "b", "b");
        RecordCursor cursor = reader.open(reader.since(List.of(topic), 0));
        List<String> values = new ArrayList<>();

        for (var record = cursor.next(); record != null; record = cursor.next()) {
            values.add(value(record));
            if (record.partition() == 0) {
                cursor.skip(first);
            }
        }

        assertThat(values).containsExactlyInAnyOrder("a", "b", "b", "b");
    }

    @Test
    void record_offset_isReadWhileItIsThere() throws Exception {
        topics.create(topic, 1);
        topics.send(topic, 0, "a", "b", "c");
        topics.admin()
                .deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(1)))
                .all()
                .get();

        assertThat(reader.record(first, 0)).isNull();
        assertThat(value(reader.record(first, 1))).isEqualTo("b");
        assertThat(value(reader.record(first, 2))).isEqualTo("c");
        assertThat(reader.record(first, 3)).isNull();
        assertThat(reader.leaderless()).isEmpty();
    }

    @Test
    void record_partitionThatDoesNotAnswer_isNamed() throws Exception {
        topics.create(topic, 1);

        try (TopicReader impatient = reader(Duration.ofMillis(500))) {
            assertThat(impatient.record(new TopicPartition(topic, 7), 0)).isNull();
            assertThat(impatient.leaderless()).containsExactly(topic + "-7");
        }
    }

    @Test
    void read_recordsDeletedMeanwhile_fails() throws Exception {
        topics.create(topic, 1);
        topics.send(topic, 0, "a", "b");
        List<OffsetRange> ranges = reader.since(List.of(topic), 0);
        topics.admin()
                .deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(1)))
                .all()
                .get();

        assertThatThrownBy(() -> read(ranges)).isInstanceOf(OffsetOutOfRangeException.class);
    }
}
