package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.settings.InvalidSettings;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** The newest heartbeats of analyzers and agents, and the difference of this machine's clock. Thread-safe. */
final class Pulse {
    /** An analyzer speaks each second, an agent every five. */
    private static final long LISTEN_MILLIS = 7_000;

    private final FleetState fleet;
    private final long started;
    private final CountDownLatch read = new CountDownLatch(1);
    private final CountDownLatch live = new CountDownLatch(1);
    private @Nullable Long ahead;
    private long aheadAtLeast;

    /** @param started the wall clock's time before the topics' ends were asked for, epoch milliseconds */
    Pulse(TopicNames topics, long maxLease, long started) {
        fleet = new FleetState(topics, maxLease);
        this.started = started;
    }

    /** Reads the topics to their ends, then waits a few seconds for a heartbeat. */
    static Pulse feel(Connection connection) throws InvalidSettings, Refused, InterruptedException {
        Pulse pulse = new Pulse(connection.topics(), connection.maxLease(), System.currentTimeMillis());
        TopicFollower.Listener listener = new TopicFollower.Listener() {
            @Override
            public void record(ConsumerRecord<byte[], byte[]> record) {
                pulse.accept(record, System.currentTimeMillis());
            }

            @Override
            public void caughtUp() {
                pulse.present();
            }
        };
        TopicNames topics = connection.topics();
        List<String> followed = List.of(topics.gateLocks(), topics.agents(), topics.policies(), topics.operator());
        try (TopicFollower follower = new TopicFollower(connection.client(), followed, listener)) {
            follower.start();
            new FirstRead(connection, pulse.read, follower).await();
            boolean heard = pulse.live.await(LISTEN_MILLIS, TimeUnit.MILLISECONDS);
            assert heard || pulse.ahead() == null;
        }
        return pulse;
    }

    /** What comes from now on was written just now. */
    void present() {
        read.countDown();
    }

    synchronized void accept(ConsumerRecord<byte[], byte[]> record, long wallClock) {
        fleet.record(record);
        if (read.getCount() == 0 && record.timestampType() == TimestampType.LOG_APPEND_TIME && ahead == null) {
            ahead = wallClock - record.timestamp();
            aheadAtLeast = started - record.timestamp();
            live.countDown();
        }
    }

    /** Returns what holds now. */
    FleetState fleet() {
        return fleet;
    }

    /** By how many milliseconds this machine's clock is ahead of the broker's, or {@code null} without a heartbeat. */
    synchronized @Nullable Long ahead() {
        return ahead;
    }

    /**
     * The least by which this machine's clock can be ahead, in milliseconds, once {@link #ahead} is known: a live record was
     * appended after this started to ask. {@link #ahead} itself is the most, for it counts the time until the record was read.
     */
    synchronized long aheadAtLeast() {
        return aheadAtLeast;
    }

    /** The broker's time, as well as it is known. */
    synchronized long now(long wallClock) {
        return ahead == null ? Math.max(wallClock, fleet.newest()) : wallClock - ahead;
    }
}
