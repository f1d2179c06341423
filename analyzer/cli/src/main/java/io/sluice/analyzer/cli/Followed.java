package io.sluice.analyzer.cli;

import io.sluice.contract.topic.TopicFollower;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Runs a view over compacted topics while they are followed. */
final class Followed {
    private final Connection connection;
    private final List<String> topics;

    Followed(Connection connection, List<String> topics) {
        this.connection = connection;
        this.topics = topics;
    }

    /** A view that runs until it is interrupted. */
    interface Look {
        void look() throws Exception;
    }

    /** Looks at the view once all has been read; meanwhile it goes on. */
    void look(TopicFollower.Listener view, Look look) throws Exception {
        Reading reading = new Reading(view);
        try (TopicFollower follower = new TopicFollower(connection.client(), topics, reading)) {
            follower.start();
            new FirstRead(connection, reading.read, follower).await();
            look.look();
        }
    }

    private static final class Reading implements TopicFollower.Listener {
        private final TopicFollower.Listener view;
        private final CountDownLatch read = new CountDownLatch(1);

        Reading(TopicFollower.Listener view) {
            this.view = view;
        }

        @Override
        public void record(ConsumerRecord<byte[], byte[]> record) {
            view.record(record);
        }

        @Override
        public void caughtUp() {
            view.caughtUp();
            read.countDown();
        }

        @Override
        public void again() {
            view.again();
        }
    }
}
