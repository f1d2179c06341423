package io.sluice.benchmarks.scaling;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.benchmarks.measure.Child;
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
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** Kafka Streams with our parser and nothing behind it: whatever keeps this from scaling keeps every contender from it. */
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
        SourceSettings source =
                new SourceSettings(topic, "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), topic);
        topology.addProcessor("reader", () -> new Reader(LogFormats.of(source), events), "source");
        return topology;
    }

    /** Reads, and that is all. */
    private record Reader(LogFormat format, AtomicLong events) implements Processor<byte[], byte[], Void, Void> {
        @Override
        public void process(Record<byte[], byte[]> record) {
            try {
                format.read(record.value());
            } catch (MalformedRecord e) {
                throw new IllegalStateException("no event", e);
            }
            events.incrementAndGet();
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
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
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
