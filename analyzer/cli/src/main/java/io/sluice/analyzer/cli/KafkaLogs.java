package io.sluice.analyzer.cli;

import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.TopicLogs;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SourceSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Finds what a topic holds of a time: for each partition the offsets from the first record of that time to the end. */
final class KafkaLogs implements TopicLogs {

    @Override
    public List<AccessLog> open(Wanted wanted) throws IOException {
        Connection connection = new Connection();
        connection.config = wanted.config();
        connection.bootstrap = wanted.bootstrap();
        try {
            SourceSettings source = source(connection, wanted);
            return ranges(connection, wanted, source);
        } catch (InvalidSettings | Refused e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** The analyzer's source of the topic, where there is one; options override it. */
    private static SourceSettings source(Connection connection, Wanted wanted) throws InvalidSettings, IOException {
        SourceSettings found = connection.settings().sources().stream()
                .filter(source -> source.topic().equals(wanted.topic()))
                .findFirst()
                .orElse(null);
        SourceSettings source = found == null ? unknown(connection, wanted) : given(found, wanted);
        try {
            LogFormats.of(source);
        } catch (IllegalArgumentException e) {
            throw new IOException("topic " + wanted.topic() + ": " + e.getMessage(), e);
        }
        return source;
    }

    private static SourceSettings given(SourceSettings found, Wanted wanted) {
        @Nullable String format = wanted.format();
        boolean otherCallers = !wanted.callers().isEmpty();
        return new SourceSettings(
                found.topic(),
                format == null ? found.format() : format,
                otherCallers ? wanted.callers() : found.caller(),
                found.service(),
                // a setting of one field does not hold for another
                otherCallers ? null : found.identity(),
                found.rejected(),
                found.fields(),
                found.labels(),
                found.routes());
    }

    private static SourceSettings unknown(Connection connection, Wanted wanted) throws InvalidSettings, IOException {
        String format = wanted.format();
        if (format == null) {
            throw new IOException("topic " + wanted.topic() + " is none of the sources in the settings ("
                    + String.join(
                            ", ",
                            connection.settings().sources().stream()
                                    .map(SourceSettings::topic)
                                    .toList())
                    + "): --format says how it is read");
        }
        return new SourceSettings(
                wanted.topic(), format, wanted.callers(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
    }

    private static List<AccessLog> ranges(Connection connection, Wanted wanted, SourceSettings source)
            throws InvalidSettings, Refused, IOException {
        Map<String, Object> client = client(connection);
        long from = System.currentTimeMillis() - wanted.sinceMillis();
        List<AccessLog> logs = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = partitions(consumer, wanted.topic());
            Map<TopicPartition, Long> times = new HashMap<>();
            partitions.forEach(partition -> times.put(partition, from));
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<TopicPartition, OffsetAndTimestamp> begins = consumer.offsetsForTimes(times);
            for (TopicPartition partition : partitions) {
                OffsetAndTimestamp begin = begins.get(partition);
                long end = ends.getOrDefault(partition, 0L);
                if (begin != null && begin.offset() < end) {
                    logs.add(new PartitionLog(client, partition, begin.offset(), end, source));
                }
            }
        } catch (KafkaException e) {
            throw new IOException(connection.unreachable(e).getMessage(), e);
        }
        if (logs.isEmpty()) {
            throw new IOException("topic " + wanted.topic() + " holds nothing of the last "
                    + Spans.text(wanted.sinceMillis()) + ": a longer --since reaches further back");
        }
        return logs;
    }

    private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer, String topic)
            throws IOException {
        List<PartitionInfo> found = consumer.partitionsFor(topic, Connection.ANSWER);
        if (found == null || found.isEmpty()) {
            throw new IOException("no topic " + topic + " on this cluster");
        }
        return found.stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .sorted((one, other) -> Integer.compare(one.partition(), other.partition()))
                .toList();
    }

    /** Without a group, so that no offsets move; nothing is created; aborted transactions are skipped. */
    private static Map<String, Object> client(Connection connection) throws InvalidSettings, Refused {
        Map<String, Object> client = new HashMap<>(connection.client());
        client.remove("group.id");
        client.remove("group.instance.id");
        client.put("client.id", "sluice-replay");
        client.put("enable.auto.commit", false);
        client.put("allow.auto.create.topics", false);
        client.put("isolation.level", "read_committed");
        client.put("auto.offset.reset", "none");
        client.putIfAbsent("max.poll.records", 5_000);
        return client;
    }
}
