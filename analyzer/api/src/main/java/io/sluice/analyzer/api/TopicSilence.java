package io.sluice.analyzer.api;

import io.sluice.contract.topic.TopicFollower;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The time since the last record of the followed topics. Decide tasks write a heartbeat each second, so a longer silence means that Kafka does not answer
 * or that no decide task runs. Thread-safe.
 */
final class TopicSilence implements TopicFollower.Listener {
    private final LongSupplier nanoTime;
    private volatile long last;

    TopicSilence(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        last = nanoTime.getAsLong();
    }

    @Override
    public void record(ConsumerRecord<byte[], byte[]> record) {
        last = nanoTime.getAsLong();
    }

    @Override
    public void caughtUp() {}

    /** Returns milliseconds. */
    long millis() {
        return (nanoTime.getAsLong() - last) / 1_000_000;
    }
}
