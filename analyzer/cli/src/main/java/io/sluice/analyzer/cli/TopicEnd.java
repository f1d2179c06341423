package io.sluice.analyzer.cli;

import io.sluice.contract.topic.TopicFollower;
import io.sluice.settings.InvalidSettings;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads topics from their beginning to their end, once. */
final class TopicEnd {
    private TopicEnd() {}

    static void read(Connection connection, List<String> topics, Consumer<ConsumerRecord<byte[], byte[]>> reader)
            throws InvalidSettings, Refused, InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        TopicFollower.Listener listener = new TopicFollower.Listener() {
            @Override
            public void record(ConsumerRecord<byte[], byte[]> record) {
                reader.accept(record);
            }

            @Override
            public void caughtUp() {
                end.countDown();
            }
        };
        try (TopicFollower follower = new TopicFollower(connection.client(), topics, listener)) {
            follower.start();
            connection.await(end, follower);
        }
    }
}
