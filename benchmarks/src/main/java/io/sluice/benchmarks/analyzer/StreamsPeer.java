package io.sluice.benchmarks.analyzer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KGroupedStream;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.TimeWindows;

/**
 * Kafka Streams as users have it. All is in the peers' favour: the log is keyed by caller, so nothing is shuffled; commits
 * are as rare as the default makes them; clients are tuned like ours; and the counts are not queried.
 */
final class StreamsPeer {
    private static final Duration WINDOW = Duration.ofSeconds(60);
    private static final Duration SLIDE = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofSeconds(60);

    private StreamsPeer() {}

    /** Parses, and does nothing with it: what Kafka Streams costs by itself. */
    static Topology empty(String topic, AtomicLong events) {
        StreamsBuilder builder = new StreamsBuilder();
        read(builder, topic, events);
        return builder.build();
    }

    static Topology hopping(String topic, AtomicLong events) {
        return count(topic, events, TimeWindows.ofSizeAndGrace(WINDOW, GRACE).advanceBy(SLIDE));
    }

    static Topology tumbling(String topic, AtomicLong events) {
        return count(topic, events, TimeWindows.ofSizeAndGrace(WINDOW, GRACE));
    }

    private static Topology count(String topic, AtomicLong events, TimeWindows windows) {
        StreamsBuilder builder = new StreamsBuilder();
        byCaller(builder, topic, events).windowedBy(windows).count(Materialized.as("requests"));
        return builder.build();
    }

    private static KGroupedStream<String, byte[]> byCaller(StreamsBuilder builder, String topic, AtomicLong events) {
        return read(builder, topic, events).groupByKey(Grouped.with(Serdes.String(), Serdes.ByteArray()));
    }

    private static KStream<String, byte[]> read(StreamsBuilder builder, String topic, AtomicLong events) {
        NeededFields fields = new NeededFields();
        return builder.stream(topic, Consumed.with(Serdes.String(), Serdes.ByteArray()))
                .filter((caller, event) -> {
                    fields.read(event);
                    events.lazySet(events.getPlain() + 1);
                    return fields.status != 429;
                });
    }

    static KafkaStreams start(String bootstrapServers, Path state, Topology topology) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "peer-" + UUID.randomUUID());
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // as the analyzer: cheaper than the 1,000 of Kafka Streams
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 128 * 1024);
        KafkaStreams streams = new KafkaStreams(topology, settings);
        streams.start();
        return streams;
    }
}
