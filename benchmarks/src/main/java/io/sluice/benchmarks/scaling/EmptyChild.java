package io.sluice.benchmarks.scaling;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.benchmarks.Child;
import io.sluice.benchmarks.workload.Usage;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;

/** Kafka Streams with our parser and nothing behind it: whatever keeps this from scaling keeps everybody. */
final class EmptyChild {
    private static final long LOOK_MILLIS = 10;
    private static final double QUIET_SECONDS = 1;

    private EmptyChild() {}

    /** Arguments: broker, topic, application, instance, threads, milliseconds of warm-up and of the span, a folder. */
    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        AtomicLong events = new AtomicLong();
        KafkaStreams streams = new KafkaStreams(topology(arguments[1], events), settings(arguments));
        streams.start();
        measure(events, Long.parseLong(arguments[5]), Long.parseLong(arguments[6]) / 1000.0);
        streams.close(Duration.ofSeconds(10));
    }

    private static Topology topology(String topic, AtomicLong events) {
        StreamsBuilder builder = new StreamsBuilder();
        SourceSettings source =
                new SourceSettings(topic, "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
        ThreadLocal<LogFormat> formats = ThreadLocal.withInitial(() -> LogFormats.of(source));
        builder.stream(topic, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
                .foreach((key, event) -> {
                    read(formats.get(), event);
                    events.incrementAndGet();
                });
        return builder.build();
    }

    private static void read(LogFormat format, byte[] event) {
        try {
            format.read(event);
        } catch (MalformedRecord e) {
            throw new IllegalStateException("no event", e);
        }
    }

    private static Properties settings(String... arguments) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, arguments[2]);
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), arguments[3]);
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, arguments[4]);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, arguments[7]);
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 200);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        settings.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 10_000);
        return settings;
    }

    private static void measure(AtomicLong events, long warmUp, double longest) throws InterruptedException {
        while (events.get() == 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        TimeUnit.MILLISECONDS.sleep(warmUp);
        Usage span = Usage.begin(events.get());
        long seen = events.get();
        double moved = 0;
        while (span.seconds() < longest && span.seconds() - moved < QUIET_SECONDS) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            long now = events.get();
            if (now != seen) {
                seen = now;
                moved = span.seconds();
            }
        }
        span.tell(events.get(), moved);
    }
}
