package io.sluice.benchmarks.recovery;

import io.sluice.benchmarks.measure.Child;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;

/**
 * The floor of a restart: a process with a topology without state that counts the records of a topic, up to its first one. Its settings are the
 * defaults of Kafka Streams, except that it keeps its place in the group, as the analyzer does: otherwise the group would wait for
 * its former self.
 */
final class EmptyStartChild {
    private EmptyStartChild() {}

    /** Bootstrap servers, topic, state directory. */
    public static void main(String... arguments) throws InterruptedException {
        Child.endWithParent();
        AtomicLong events = new AtomicLong();
        Topology topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), arguments[1]);
        topology.addProcessor(
                "counter", () -> (Processor<byte[], byte[], Void, Void>) record -> events.incrementAndGet(), "source");
        Properties settings = new Properties();
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "restart-floor");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, arguments[2]);
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), "one");
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "latest");
        try (KafkaStreams streams = new KafkaStreams(topology, settings)) {
            streams.start();
            while (streams.state() != KafkaStreams.State.RUNNING || events.get() == 0) {
                TimeUnit.MILLISECONDS.sleep(2);
            }
            Child.tell("seconds", Lifetime.seconds());
        }
    }
}
