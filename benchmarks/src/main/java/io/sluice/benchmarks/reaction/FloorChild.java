package io.sluice.benchmarks.reaction;

import io.sluice.benchmarks.measure.Child;
import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What no analyzer of two stages can beat: it reads everything, counts nothing, and hands on what has a key: from requests
 * to usage, and from usage to gate-locks. BOOTSTRAP PREFIX.
 */
final class FloorChild {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long LEASE_MILLIS = 600_000;

    private FloorChild() {}

    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        String bootstrap = arguments[0];
        TopicNames topics = new TopicNames(arguments[1]);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            new TopicAdministration(admin)
                    .create(Topics.definitions(topics, Settings.PARTITIONS, (short) -1, LEASE_MILLIS));
        }
        CountDownLatch reading = new CountDownLatch(2);
        relay(bootstrap, topics.requests(), topics.usage(), reading);
        relay(bootstrap, topics.usage(), topics.gateLocks(), reading);
        reading.await();
        System.out.println(Standing.READY);
        Thread.currentThread().join();
    }

    private static void relay(String bootstrap, String from, String to, CountDownLatch reading) {
        new Thread(() -> hand(bootstrap, from, to, reading), from).start();
    }

    private static void hand(String bootstrap, String from, String to, CountDownLatch reading) {
        try (KafkaConsumer<byte[], byte[]> consumer = Clients.consumer(bootstrap);
                KafkaProducer<byte[], byte[]> producer = Clients.relay(bootstrap)) {
            List<TopicPartition> partitions = IntStream.range(0, Settings.PARTITIONS)
                    .mapToObj(partition -> new TopicPartition(from, partition))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            partitions.forEach(consumer::position);
            reading.countDown();
            while (true) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.key() != null) {
                        var unused = producer.send(new ProducerRecord<>(to, record.key(), record.value()));
                    }
                }
            }
        }
    }
}
