package io.sluice.analyzer.cli;

import io.sluice.contract.topic.TopicFollower;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Runs a view over compacted topics while they are followed. */
final class Followed {
    private final Connection connection;
    private final List<String> topics;

    /** What is put together from the records; it is written and read by different threads. */
    interface View {
        void accept(ConsumerRecord<byte[], byte[]> record);

        /** Everything is read anew. */
        void again();
    }

    Followed(Connection connection, List<String> topics) {
        this.connection = connection;
        this.topics = topics;
    }

    /** A view that runs until it is interrupted. */
    interface Look {
        void look() throws Exception;
    }

    /** Looks at the view once all has been read; meanwhile it goes on. */
    void look(View view, Look look) throws Exception {
        Reading reading = new Reading(view);
        try (TopicFollower follower = new TopicFollower(connection.client(), topics, reading)) {
            follower.start();
            connection.await(reading.read, follower);
            look.look();
        }
    }

    private static final class Reading implements TopicFollower.Listener {
        private final View view;
        private final CountDownLatch read = new CountDownLatch(1);

        Reading(View view) {
            this.view = view;
        }

        @Override
        public void record(ConsumerRecord<byte[], byte[]> record) {
            view.accept(record);
        }

        @Override
        public void caughtUp() {
            read.countDown();
        }

        @Override
        public void again() {
            view.again();
        }
    }
}
