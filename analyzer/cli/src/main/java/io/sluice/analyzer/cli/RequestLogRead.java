package io.sluice.analyzer.cli;

import io.sluice.analyzer.NumberText;
import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.output.ProgressLine;
import io.sluice.analyzer.recount.NotRecountable;
import io.sluice.analyzer.recount.Recount;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.topic.OffsetRange;
import io.sluice.contract.topic.RecordCursor;
import io.sluice.contract.topic.TopicReader;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SourceSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;

/**
 * Reads that part of the request log which a recount needs, as the analyzer reads it: the configured sources, their formats, the
 * same rule of which time counts. One thread, used once.
 */
final class RequestLogRead {
    private final Connection connection;
    private final EventTimes times;
    private final ProgressLine progress;
    private final Map<String, LogFormat> formats = new HashMap<>();
    private final Recount recount;
    private final long firstAppend;
    private final long lastAppend;

    RequestLogRead(Connection connection, Recount recount, ProgressLine progress) throws InvalidSettings {
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
        // as the analyzer reads under each guarantee
        boolean exactlyOnce = connection.settings().analyzer().exactlyOnce();
        try (TopicReader reader =
                connection.reader(exactlyOnce ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED)) {
            List<OffsetRange> ranges = reader.since(formats.keySet(), firstAppend);
            String missing = Connection.leaderless(reader.leaderless());
            recount.incomplete(missing.isEmpty() ? LogReach.gap(ranges, firstAppend) : missing);
            long total = ranges.stream().mapToLong(OffsetRange::size).sum();
            long read = 0;
            RecordCursor cursor = reader.open(ranges);
            for (var record = cursor.next(); record != null; record = cursor.next()) {
                read++;
                if (progress.isDue()) {
                    progress.show("reading the request log: " + NumberText.of(read) + " of at most "
                            + NumberText.of(total) + " records");
                }
                // only the broker's time never goes back
                if (record.timestampType() == TimestampType.LOG_APPEND_TIME && record.timestamp() > lastAppend) {
                    cursor.skip(new TopicPartition(record.topic(), record.partition()));
                } else {
                    count(record);
                }
            }
        } catch (KafkaException e) {
            throw new NotRecountable("the request log could not be read: " + e.getMessage());
        } finally {
            progress.clear();
        }
    }

    private void count(ConsumerRecord<byte[], byte[]> record) throws NotRecountable {
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
