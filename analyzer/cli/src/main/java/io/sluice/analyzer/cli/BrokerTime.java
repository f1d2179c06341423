package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.FleetState;
import io.sluice.settings.InvalidSettings;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The broker's time for commands: this machine's clock may be wrong, and leases end by the broker's. */
final class BrokerTime {
    /** Decide tasks write a heartbeat each second. */
    private static final long WAIT_NANOS = Duration.ofSeconds(3).toNanos();

    private static final Duration POLL = Duration.ofMillis(100);

    private BrokerTime() {}

    /**
     * Returns broker time in epoch milliseconds. Where all records are old by this machine's clock, waits up to three seconds for a heartbeat, which shows
     * that the clock is ahead; they begin when the ends of the partitions are known. Without one the fleet is silent, and the clock is all there is.
     *
     * @param fleet has read its topics to their ends
     */
    static long now(Connection connection, FleetState fleet) throws InvalidSettings, Refused {
        if (fleet.silent(System.currentTimeMillis())) {
            awaitHeartbeat(connection, fleet);
        }
        return fleet.now(System.currentTimeMillis());
    }

    private static void awaitHeartbeat(Connection connection, FleetState fleet) throws InvalidSettings, Refused {
        String topic = connection.topics().gateLocks();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(connection.client(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<PartitionInfo> infos = consumer.partitionsFor(topic);
            List<TopicPartition> partitions =
                    infos.stream().map(BrokerTime::partition).toList();
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            awaitPositions(consumer, infos);
            fleet.caughtUp();
            long end = System.nanoTime() + WAIT_NANOS;
            ConsumerRecords<byte[], byte[]> records = ConsumerRecords.empty();
            while (records.isEmpty() && System.nanoTime() < end) {
                records = consumer.poll(POLL);
            }
            records.forEach(fleet::record);
        } catch (KafkaException e) {
            // without the topic, or the right to read it, this machine's clock is all there is
        }
    }

    /** Waits until the ends are known: a slow broker must not use up the time for a heartbeat. */
    private static void awaitPositions(KafkaConsumer<byte[], byte[]> consumer, List<PartitionInfo> infos) {
        try {
            infos.stream()
                    .filter(info -> info.leader() != null)
                    .map(BrokerTime::partition)
                    .forEach(consumer::position);
        } catch (TimeoutException e) {
            // the other partitions may have heartbeats
            return;
        }
    }

    private static TopicPartition partition(PartitionInfo info) {
        return new TopicPartition(info.topic(), info.partition());
    }
}
