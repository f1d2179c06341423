package io.sluice.benchmarks.idle;

import io.sluice.benchmarks.measure.Child;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A topology that does nothing, with as many tasks as an analyzer has and the default settings of Kafka Streams. On demand it sends one record
 * per partition and second, and a consumer of its own reads them, as heartbeats are sent and read.
 */
final class FloorChild {
    private static final String REQUESTS = "floor.requests";
    private static final String USAGE = "floor.usage";
    private static final String GATE_LOCKS = "floor.gate-locks";
    private static final String LOADS = "floor.loads";
    /** Bytes of a heartbeat's value where no service has an agent. */
    private static final int HEARTBEAT_BYTES = 164;

    private FloorChild() {}

    /** Bootstrap servers, a folder, partitions, seconds of warm-up, seconds to measure, whether there are heartbeats. */
    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        int partitions = Integer.parseInt(arguments[2]);
        boolean heartbeats = Boolean.parseBoolean(arguments[5]);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", arguments[0]))) {
            create(admin, partitions);
        }
        if (heartbeats) {
            Thread follower = new Thread(() -> follow(arguments[0], partitions), "follower");
            follower.setDaemon(true);
            follower.start();
        }
        try (KafkaStreams streams = new KafkaStreams(topology(heartbeats), settings(arguments))) {
            streams.start();
            while (streams.state() != KafkaStreams.State.RUNNING) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            TimeUnit.SECONDS.sleep(Long.parseLong(arguments[3]));
            IdleCost.begin().tell(Long.parseLong(arguments[4]));
        }
    }

    private static void create(Admin admin, int partitions) throws ExecutionException, InterruptedException {
        Collection<NewTopic> topics = new ArrayList<>();
        for (String topic : List.of(REQUESTS, USAGE, GATE_LOCKS, LOADS)) {
            topics.add(new NewTopic(topic, partitions, (short) 1));
        }
        admin.createTopics(topics).all().get();
    }

    private static Topology topology(boolean heartbeats) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        Topology topology = new Topology();
        topology.addSource("requests", bytes, bytes, REQUESTS);
        topology.addProcessor("meter", () -> new Sender(false), "requests");
        topology.addSource("usage", bytes, bytes, USAGE);
        topology.addProcessor("decide", () -> new Sender(heartbeats), "usage");
        topology.addSink(
                "out",
                GATE_LOCKS,
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                (topic, key, value, partitions) -> Optional.of(Set.of(key[0] & 0xff)),
                "decide");
        return topology;
    }

    /** Handles nothing. */
    private static final class Sender implements Processor<byte[], byte[], byte[], byte[]> {
        private final boolean sends;

        private Sender(boolean sends) {
            this.sends = sends;
        }

        @Override
        public void init(ProcessorContext<byte[], byte[]> context) {
            if (sends) {
                byte[] key = {(byte) context.taskId().partition()};
                context.schedule(
                        Duration.ofSeconds(1),
                        PunctuationType.WALL_CLOCK_TIME,
                        now -> context.forward(new Record<>(key, new byte[HEARTBEAT_BYTES], now)));
            }
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            throw new IllegalStateException("nothing is sent");
        }
    }

    private static Properties settings(String... arguments) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "floor");
        settings.put(
                StreamsConfig.STATE_DIR_CONFIG,
                Path.of(arguments[1]).resolve("floor-" + arguments[5]).toString());
        return settings;
    }

    private static void follow(String bootstrapServers, int partitions) {
        List<TopicPartition> all = new ArrayList<>();
        for (String topic : List.of(GATE_LOCKS, LOADS)) {
            IntStream.range(0, partitions).forEach(partition -> all.add(new TopicPartition(topic, partition)));
        }
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(all);
            while (!Thread.currentThread().isInterrupted()) {
                consumer.poll(Duration.ofSeconds(1));
            }
        }
    }
}
