package io.sluice.benchmarks.recovery;

import io.sluice.benchmarks.Child;
import java.time.Duration;
import java.util.Arrays;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;

/** A process with Kafka Streams as it is when nobody sets anything: one stage that puts each event into a window store. */
final class StockChild {
    private static final String STORE = "windows";
    // an event's beginning: its time and its caller
    private static final int KEY_BYTES = 48;

    private StockChild() {}

    /** Bootstrap servers, state directory, the topic, how many events to count. */
    public static void main(String... arguments) throws InterruptedException {
        Child.endWithParent();
        Properties settings = new Properties();
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, arguments[1]);
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "stock");
        long events = Long.parseLong(arguments[3]);
        AtomicLong counted = new AtomicLong();
        try (KafkaStreams streams = new KafkaStreams(topology(arguments[2], counted), settings)) {
            streams.start();
            while (streams.state() != KafkaStreams.State.RUNNING || counted.get() < events) {
                TimeUnit.MILLISECONDS.sleep(2);
            }
            Child.tell("seconds", Lifetime.seconds());
        }
    }

    private static Topology topology(String topic, AtomicLong counted) {
        Topology topology = new Topology();
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        topology.addSource(AutoOffsetReset.earliest(), "in", bytes, bytes, topic);
        topology.addProcessor("put", () -> new Put(counted), "in");
        topology.addStateStore(
                Stores.windowStoreBuilder(
                        Stores.persistentWindowStore(STORE, Duration.ofMinutes(10), Duration.ofMillis(1), false),
                        Serdes.Bytes(),
                        Serdes.ByteArray()),
                "put");
        return topology;
    }

    private static final class Put implements Processor<byte[], byte[], Void, Void> {
        private final AtomicLong counted;

        @SuppressWarnings("NullAway.Init") // Kafka Streams calls init first
        private WindowStore<Bytes, byte[]> store;

        Put(AtomicLong counted) {
            this.counted = counted;
        }

        @Override
        public void init(ProcessorContext<Void, Void> context) {
            store = context.getStateStore(STORE);
        }

        @Override
        public void process(Record<byte[], byte[]> event) {
            Bytes key = Bytes.wrap(Arrays.copyOf(event.value(), KEY_BYTES));
            store.put(key, event.value(), event.timestamp());
            counted.incrementAndGet();
        }
    }
}
