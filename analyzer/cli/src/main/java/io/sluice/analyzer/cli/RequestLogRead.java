package io.sluice.analyzer.cli;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.recount.NotRecountable;
import io.sluice.analyzer.recount.Recount;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SourceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads that part of the request log which a recount needs, as the analyzer reads it: the configured sources, their formats, the
 * same rule of which time counts. One thread, used once.
 */
final class RequestLogRead {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Connection connection;
    private final EventTimes times;
    private final ReadingProgress progress;
    private final Map<String, LogFormat> formats = new HashMap<>();
    private final Map<TopicPartition, Span> open = new HashMap<>();
    private final Recount recount;
    private final long firstAppend;
    private final long lastAppend;

    /** The offsets of a partition that are to be read, the end not among them. */
    private record Span(long start, long end) {}

    RequestLogRead(Connection connection, Recount recount, ReadingProgress progress) throws InvalidSettings {
        this.connection = connection;
        this.recount = recount;
        this.progress = progress;
        AnalyzerSettings analyzer = connection.settings().analyzer();
        times = new EventTimes(analyzer.skew(), analyzer.lateness());
        // an event is appended at most so much before its time, and so much after
        firstAppend = recount.from() - analyzer.skew();
        lastAppend = recount.to() + analyzer.lateness();
        for (SourceSettings source : connection.settings().sources()) {
            LogFormat format = LogFormats.of(source);
            format.wanting(recount.fields());
            formats.put(source.topic(), format);
        }
    }

    /**
     * Hands every request of that time to the recount.
     *
     * @throws NotRecountable when the log can't be read, or what is to be kept of it is too much
     */
    void read() throws InvalidSettings, Refused, NotRecountable {
        Map<String, Object> client = new HashMap<>(connection.client());
        client.put("enable.auto.commit", false);
        client.put("auto.offset.reset", "none");
        // as the analyzer reads under each guarantee
        client.put(
                "isolation.level",
                connection.settings().analyzer().exactlyOnce() ? "read_committed" : "read_uncommitted");
        try (var consumer = new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            assign(consumer);
            progress.toRead(open.values().stream()
                    .mapToLong(span -> span.end - span.start)
                    .sum());
            while (!open.isEmpty()) {
                poll(consumer);
            }
        } catch (KafkaException e) {
            throw new NotRecountable("the request log could not be read: " + e.getMessage());
        } finally {
            progress.done();
        }
    }

    private void assign(KafkaConsumer<byte[], byte[]> consumer) throws NotRecountable {
        List<TopicPartition> all = new ArrayList<>();
        for (String topic : formats.keySet()) {
            List<PartitionInfo> partitions = consumer.listTopics().get(topic);
            if (partitions == null) {
                throw new NotRecountable("the request log could not be read: there is no topic " + topic);
            }
            partitions.forEach(it -> all.add(new TopicPartition(topic, it.partition())));
        }
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(all);
        Map<TopicPartition, Long> ends = consumer.endOffsets(all);
        Map<TopicPartition, Long> wanted = new HashMap<>();
        all.forEach(partition -> wanted.put(partition, Math.max(0, firstAppend)));
        Map<TopicPartition, @Nullable OffsetAndTimestamp> found = consumer.offsetsForTimes(wanted);
        LogReach reach = new LogReach(firstAppend);
        for (TopicPartition partition : all) {
            long begin = begins.getOrDefault(partition, 0L);
            long end = ends.getOrDefault(partition, 0L);
            OffsetAndTimestamp first = found.get(partition);
            if (first == null) {
                reach.quiet(begin, end);
            } else {
                reach.found(begin, first.offset(), first.timestamp());
            }
            if (first != null && first.offset() < end) {
                open.put(partition, new Span(first.offset(), end));
            }
        }
        recount.incomplete(reach.gap());
        consumer.assign(open.keySet());
        open.forEach((partition, span) -> consumer.seek(partition, span.start));
    }

    private void poll(KafkaConsumer<byte[], byte[]> consumer) throws NotRecountable {
        long patience = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Connection.PATIENCE.toMillis());
        boolean moved = false;
        while (!moved) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                take(record);
                moved = true;
            }
            // transaction markers move the position without a record
            moved |= open.entrySet().removeIf(it -> consumer.position(it.getKey()) >= it.getValue().end);
            if (!moved && System.nanoTime() > patience) {
                throw new NotRecountable("the request log could not be read: the broker sends nothing");
            }
        }
        consumer.assignment().stream()
                .filter(partition -> !open.containsKey(partition))
                .forEach(partition -> consumer.pause(List.of(partition)));
    }

    private void take(ConsumerRecord<byte[], byte[]> record) throws NotRecountable {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        Span span = open.get(partition);
        if (span == null || record.offset() >= span.end) {
            return;
        }
        progress.read();
        // only the broker's time never goes back
        if (record.timestampType() == TimestampType.LOG_APPEND_TIME && record.timestamp() > lastAppend) {
            open.remove(partition);
            return;
        }
        LogFormat format = formats.get(record.topic());
        if (record.value() == null || format == null) {
            return;
        }
        RequestEvent event;
        try {
            event = format.read(record.value());
        } catch (MalformedRecord | RuntimeException e) {
            // the analyzer did not count it either: it is a dead letter
            return;
        }
        long time = times.of(event.time(), record.timestamp());
        if (time != EventTimes.LATE) {
            recount.add(event.at(time));
        }
    }
}
