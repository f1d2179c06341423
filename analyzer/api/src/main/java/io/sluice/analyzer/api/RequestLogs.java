package io.sluice.analyzer.api;

import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.BeyondBounds;
import io.sluice.contract.topic.OffsetRange;
import io.sluice.contract.topic.TopicReader;
import io.sluice.settings.SourceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.IsolationLevel;

/** The newest part of the request logs of all sources, bounded in records. Thread-safe. */
final class RequestLogs {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int RECORDS_OF_POLL = 5_000;

    private final Map<String, Object> client;
    private final List<SourceSettings> sources;
    private final LongSupplier now;

    /**
     * What was found.
     *
     * @param logs one for each partition that holds a record
     * @param minutes how far they reach back
     * @param records an upper bound of their number
     */
    record Found(List<AccessLog> logs, int minutes, long records) {}

    /**
     * @param client at least {@code bootstrap.servers}
     * @param now broker time, epoch milliseconds
     */
    RequestLogs(Map<String, Object> client, List<SourceSettings> sources, LongSupplier now) {
        this.client = new HashMap<>(client);
        // a name of its own on the broker, for quotas
        this.client.put("client.id", "sluice-dashboard");
        this.client.putIfAbsent("max.poll.records", RECORDS_OF_POLL);
        this.sources = List.copyOf(sources);
        this.now = now;
    }

    /**
     * Finds the log of the last minutes; of fewer, by halves, where these hold more than {@code most} records.
     *
     * @throws BeyondBounds when even the last minute holds more
     * @throws org.apache.kafka.common.KafkaException when Kafka does not answer
     */
    Found newest(int minutes, long most) {
        Supplier<TopicReader> readers =
                () -> new TopicReader(client, IsolationLevel.READ_COMMITTED, PATIENCE, PATIENCE);
        try (TopicReader reader = readers.get()) {
            int span = minutes;
            Found found = find(reader, readers, span);
            while (found.records() > most && span > 1) {
                span /= 2;
                found = find(reader, readers, span);
            }
            if (found.records() > most) {
                throw new BeyondBounds("the last minute holds " + found.records() + " requests, allowed are " + most
                        + "; use './sluice replay --topic'");
            }
            return found;
        }
    }

    /**
     * Finds the newest records, as many of each partition of all sources.
     *
     * @param most records of all partitions together, at least one of each
     * @throws org.apache.kafka.common.KafkaException when Kafka does not answer
     */
    List<AccessLog> newestRecords(int most) {
        Supplier<TopicReader> readers =
                () -> new TopicReader(client, IsolationLevel.READ_COMMITTED, PATIENCE, PATIENCE);
        List<AccessLog> logs = new ArrayList<>();
        try (TopicReader reader = readers.get()) {
            int partitions = 0;
            for (SourceSettings source : sources) {
                partitions += reader.newest(source.topic(), 0).size();
            }
            for (SourceSettings source : sources) {
                for (OffsetRange range : reader.newest(source.topic(), Math.max(1, most / Math.max(1, partitions)))) {
                    if (range.size() > 0) {
                        logs.add(new PartitionLog(readers, range, source));
                    }
                }
            }
        }
        return logs;
    }

    private Found find(TopicReader reader, Supplier<TopicReader> readers, int minutes) {
        List<AccessLog> logs = new ArrayList<>();
        long records = 0;
        long from = now.getAsLong() - minutes * 60_000L;
        for (SourceSettings source : sources) {
            for (OffsetRange range : reader.since(List.of(source.topic()), from)) {
                if (range.size() > 0) {
                    records += range.size();
                    logs.add(new PartitionLog(readers, range, source));
                }
            }
        }
        return new Found(logs, minutes, records);
    }
}
