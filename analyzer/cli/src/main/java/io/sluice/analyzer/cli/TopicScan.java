package io.sluice.analyzer.cli;

import io.sluice.settings.InvalidSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads a topic from a moment or a place to its present end, once, in no group. */
final class TopicScan {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Connection connection;
    private final String topic;

    TopicScan(Connection connection, String topic) {
        this.connection = connection;
        this.topic = topic;
    }

    /**
     * Reads what was appended since a moment.
     *
     * @param time epoch milliseconds
     * @return where each partition ended
     */
    Map<TopicPartition, Long> since(long time, Consumer<ConsumerRecord<byte[], byte[]>> reader)
            throws InvalidSettings, Refused {
        try (var consumer = consumer()) {
            List<TopicPartition> partitions = partitions(consumer);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<TopicPartition, Long> wanted = new HashMap<>();
            partitions.forEach(partition -> wanted.put(partition, Math.max(0, time)));
            Map<TopicPartition, @Nullable OffsetAndTimestamp> found = consumer.offsetsForTimes(wanted);
            Map<TopicPartition, Long> begins = new HashMap<>();
            for (TopicPartition partition : partitions) {
                OffsetAndTimestamp first = found.get(partition);
                begins.put(partition, first == null ? ends.getOrDefault(partition, 0L) : first.offset());
            }
            read(consumer, begins, ends, reader);
            return ends;
        } catch (KafkaException e) {
            throw connection.unreachable(e);
        }
    }

    /**
     * Reads what was appended behind these places.
     *
     * @return where each partition ended
     */
    Map<TopicPartition, Long> behind(Map<TopicPartition, Long> begins, Consumer<ConsumerRecord<byte[], byte[]>> reader)
            throws InvalidSettings, Refused {
        try (var consumer = consumer()) {
            Map<TopicPartition, Long> ends = consumer.endOffsets(begins.keySet());
            read(consumer, begins, ends, reader);
            return ends;
        } catch (KafkaException e) {
            throw connection.unreachable(e);
        }
    }

    /** Reads the newest records of each partition, so many at most. */
    void newest(long many, Consumer<ConsumerRecord<byte[], byte[]>> reader) throws InvalidSettings, Refused {
        try (var consumer = consumer()) {
            List<TopicPartition> partitions = partitions(consumer);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<TopicPartition, Long> begins = new HashMap<>(consumer.beginningOffsets(partitions));
            begins.replaceAll((partition, begin) -> Math.max(begin, ends.getOrDefault(partition, 0L) - many));
            read(consumer, begins, ends, reader);
        } catch (KafkaException e) {
            throw connection.unreachable(e);
        }
    }

    private void read(
            KafkaConsumer<byte[], byte[]> consumer,
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends,
            Consumer<ConsumerRecord<byte[], byte[]>> reader)
            throws InvalidSettings, Refused {
        consumer.assign(begins.keySet());
        begins.forEach(consumer::seek);
        long moved = System.nanoTime();
        while (!begins.keySet().stream().allMatch(it -> consumer.position(it) >= ends.getOrDefault(it, 0L))) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                moved = System.nanoTime();
                if (record.offset() < ends.getOrDefault(new TopicPartition(topic, record.partition()), 0L)) {
                    reader.accept(record);
                }
            }
            if (System.nanoTime() - moved > Connection.PATIENCE.toNanos()) {
                throw connection.unreachable(new IllegalStateException(
                        topic + ": nothing came for " + Connection.PATIENCE.toSeconds() + " s"));
            }
        }
    }

    private List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) throws Refused {
        List<PartitionInfo> found = consumer.listTopics(Connection.ANSWER).get(topic);
        if (found == null) {
            throw new Refused("no topic " + topic + ", or not allowed to see it; './sluice topics create' makes it");
        }
        return found.stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
    }

    KafkaConsumer<byte[], byte[]> consumer() throws InvalidSettings, Refused {
        Map<String, Object> client = new HashMap<>(connection.client());
        client.remove("group.id");
        client.remove("group.instance.id");
        client.put("enable.auto.commit", false);
        client.put("allow.auto.create.topics", false);
        client.put("auto.offset.reset", "none");
        // what was rolled back was never sent
        client.put("isolation.level", "read_committed");
        return new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
