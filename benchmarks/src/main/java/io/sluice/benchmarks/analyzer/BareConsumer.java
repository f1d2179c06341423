package io.sluice.benchmarks.analyzer;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic over and over, and parses it. */
final class BareConsumer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final String topic;
    private final AtomicLong events;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final NeededFields fields = new NeededFields();
    private final Thread thread = new Thread(this::run, "bare-consumer");
    private volatile boolean open = true;

    BareConsumer(String bootstrapServers, String topic, AtomicLong events) {
        this.topic = topic;
        this.events = events;
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "check.crcs", true),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        thread.start();
    }

    private void run() {
        consumer.assign(consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
        while (open) {
            var records = consumer.poll(PATIENCE);
            for (ConsumerRecord<byte[], byte[]> each : records) {
                fields.read(each.value());
            }
            events.addAndGet(records.count());
            if (records.isEmpty()) {
                consumer.seekToBeginning(consumer.assignment());
            }
        }
        consumer.close();
    }

    @Override
    public void close() {
        open = false;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
