package io.sluice.benchmarks.reaction;

import io.sluice.contract.topic.TopicFollower;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What no agent can beat: followers like theirs, to which a record is all there is to a decision. */
final class Followers implements Witness {
    private static final long READY_SECONDS = 30;

    private final List<TopicFollower> followers = new ArrayList<>();
    private final Map<String, Crossing> expected = new ConcurrentHashMap<>();
    private final CountDownLatch ready = new CountDownLatch(GATES);

    Followers(String bootstrap, String topic) {
        for (int i = 0; i < GATES; i++) {
            TopicFollower follower =
                    new TopicFollower(Map.of("bootstrap.servers", bootstrap), List.of(topic), new Seeing());
            followers.add(follower);
            follower.start();
        }
    }

    void awaitReady() throws InterruptedException {
        if (!ready.await(READY_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "the followers are not ready: " + followers.get(0).trouble());
        }
    }

    @Override
    public void expect(Crossing crossing) {
        expected.put(crossing.caller, crossing);
    }

    @Override
    public void close() {
        followers.forEach(TopicFollower::close);
    }

    private final class Seeing implements TopicFollower.Listener {
        @Override
        public void record(ConsumerRecord<byte[], byte[]> record) {
            Crossing crossing = expected.get(new String(record.key(), StandardCharsets.UTF_8));
            if (crossing != null) {
                crossing.closed(System.nanoTime());
            }
        }

        @Override
        public void caughtUp() {
            ready.countDown();
        }
    }
}
