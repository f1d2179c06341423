package io.sluice.contract.topic;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics from their beginning to their end, then follows them, for as long as it lives. Whatever Kafka does
 * meanwhile (not there yet, no such name, no such topic, not allowed, restarted), it tries again with a growing pause, and
 * logs that once a minute. It goes on where it was; only when a topic no longer holds that place, or was deleted and created
 * again, does it start over. A partition without a leader does not stop the others; until it has been read, the end is not reached.
 *
 * <p>It has one daemon thread, the only one that ever touches a Kafka client or the listener. Its own methods can be called
 * from any thread and never block, except {@link #close}.
 */
public final class TopicFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);
    /**
     * Its consumer is in no group that it would have to leave. Any longer, and it would wait for the fetch in progress to release a fetch
     * session that brokers drop by themselves.
     */
    private static final Duration AT_ONCE = Duration.ZERO;
    /** Time from the end of the first read to the first question for topic ids: a command that only reads has ended before. */
    private static final long IDS_AFTER_NANOS = Duration.ofMillis(500).toNanos();

    /** Receives records; always on the follower's thread. What it throws is logged, and the record counts as handled. */
    public interface Listener {
        /** A record, untouched: key and value may be {@code null}, and hold anything. */
        void record(ConsumerRecord<byte[], byte[]> record);

        /** A record without a valid signature, which is not handed over. */
        default void refused(ConsumerRecord<byte[], byte[]> record) {}

        /** Everything that was there of this topic when reading began has been handed over; comes before {@link #caughtUp}. */
        default void read(String topic) {}

        /** Everything that was there when reading began has been handed over. Once, and once more after each {@link #again}. */
        void caughtUp();

        /** A topic was made anew, or lost what was not read yet: all records come again from the beginning. */
        default void again() {}

        /** The topic has this many partitions: before its first record, and whenever the number changes. */
        default void partitions(String topic, int count) {}
    }

    private final Map<String, Object> clientConfig;
    private final RecordDelivery delivery;
    private final FollowedTopics topics;
    private final TopicIds ids;
    private final ThrottledLogger complaints;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean caughtUp;
    private long caughtUpNanos;
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private volatile @Nullable String trouble;
    private volatile Set<String> leaderless = Set.of();

    /**
     * Touches nothing yet.
     *
     * @param clientConfig at least {@code bootstrap.servers}; what following needs is set here. With the entries of {@link RecordSignatures},
     *     records without a valid signature are refused
     * @throws org.apache.kafka.common.config.ConfigException when the file of keys cannot be used
     */
    public TopicFollower(Map<String, Object> clientConfig, List<String> topics, Listener listener) {
        this.clientConfig = FollowerConfig.of(clientConfig);
        this.topics = new FollowedTopics(List.copyOf(topics));
        ids = new TopicIds(
                List.copyOf(topics),
                () -> Admin.create(FollowerConfig.admin(this.clientConfig)),
                FollowerConfig.idInterval(this.clientConfig));
        complaints = new ThrottledLogger(LOG, "following " + String.join(", ", topics));
        delivery = new RecordDelivery(listener, RecordSignatures.of(clientConfig), complaints);
        thread = new Thread(this::run, "sluice-follower-" + String.join("-", topics));
        thread.setDaemon(true);
    }

    /** Starts reading and returns at once. Can be called once. */
    public void start() {
        thread.start();
    }

    /** Returns whether everything that was there when reading began has been handed over. */
    public boolean caughtUp() {
        return caughtUp;
    }

    /** Returns the present obstacle to reading, in one line, or {@code null}. */
    public @Nullable String trouble() {
        return trouble;
    }

    /**
     * Returns the names of the partitions that keep it from catching up when all others have been read: they have no leader. Empty while
     * others are being read, and when it has caught up.
     */
    public Set<String> leaderless() {
        return leaderless;
    }

    /** Returns how many records of which topics were refused because they have no valid signature. */
    public Map<String, Long> refused() {
        return delivery.refused();
    }

    /** Replaces its Kafka client and goes on where it was: the wall clock was set back, and the old one may wait for it. Returns at once. */
    public void renew() {
        KafkaConsumer<byte[], byte[]> waiting = consumer;
        if (waiting != null) {
            waiting.wakeup();
        }
    }

    /** Stops and waits for the thread to end, for at most five seconds. Can be called more than once, and by the listener. */
    @Override
    public void close() {
        closing.countDown();
        renew();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(CLOSE_PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether a topic that is deleted and created again can be distinguished from the one before by its id. */
    boolean knowsTopicIds() {
        return ids.known();
    }

    private void run() {
        RetryPause pause = new RetryPause();
        while (!isClosing()) {
            long reads = topics.reads();
            try {
                open();
            } catch (WakeupException | InterruptException e) {
                Thread.interrupted();
            } catch (OffsetOutOfRangeException e) {
                startOver();
            } catch (RuntimeException | Error e) {
                // an Error too: without this thread, locks and policies would stay as they are for ever
                trouble(e);
            }
            // a consumer that read something before it failed need not wait long
            if (topics.reads() > reads) {
                pause.reset();
            }
            pause(pause.next());
        }
    }

    // what took its place is not there before 4.1, and a host may bring 3.9
    @SuppressWarnings("deprecation")
    private void open() {
        KafkaConsumer<byte[], byte[]> opened = new KafkaConsumer<>(clientConfig);
        try {
            consumer = opened;
            follow(opened);
        } finally {
            consumer = null;
            try {
                ids.close();
            } finally {
                opened.close(AT_ONCE);
            }
        }
    }

    private void follow(KafkaConsumer<byte[], byte[]> from) {
        RetryPause pause = new RetryPause();
        FollowedTopics.Joined joined = topics.join(from);
        while (!isClosing()
                && (joined == FollowedTopics.Joined.MISSING || joined == FollowedTopics.Joined.LEADERLESS)) {
            if (joined == FollowedTopics.Joined.LEADERLESS) {
                leaderless = topics.leaderless();
                reportLeaders();
            } else {
                report("no such topic, or not allowed to see it: " + topics.missing());
            }
            pause(pause.next());
            joined = topics.join(from);
        }
        if (joined == FollowedTopics.Joined.SHRUNK) {
            readAgain();
            return;
        }
        delivery.partitions(topics.newCounts());
        // an earlier trouble is over only when a poll succeeds
        if (!topics.leaderless().isEmpty()) {
            reportLeaders();
        }
        // a poll would wait for records that empty topics don't have
        if (!caughtUp) {
            catchUp(from);
        }
        while (!isClosing()) {
            for (ConsumerRecord<byte[], byte[]> record : topics.poll(from)) {
                delivery.record(record);
                if (isClosing()) {
                    return;
                }
            }
            reportLeaders();
            if (!caughtUp) {
                catchUp(from);
            }
            // not during the first read, which must not take longer
            if (topics.changed(from) || (idsDue() && ids.changed())) {
                readAgain();
                return;
            }
            delivery.partitions(topics.newCounts());
        }
    }

    /** Reports partitions without a leader, or that nothing keeps it from reading. */
    private void reportLeaders() {
        Set<String> names = topics.leaderless();
        if (names.isEmpty()) {
            trouble = null;
        } else {
            report("no leader: " + String.join(", ", names));
        }
    }

    private void report(String reason) {
        trouble = reason;
        complaints.about(reason);
    }

    private void catchUp(KafkaConsumer<byte[], byte[]> from) {
        topics.newlyRead(from).forEach(delivery::read);
        leaderless = !topics.atEnd() && topics.restAtEnd(from) ? topics.leaderless() : Set.of();
        if (topics.atEnd()) {
            caughtUpNanos = System.nanoTime();
            caughtUp = true;
            delivery.caughtUp();
        }
    }

    private boolean idsDue() {
        return caughtUp && System.nanoTime() - caughtUpNanos >= IDS_AFTER_NANOS;
    }

    private void readAgain() {
        LOG.info("one of {} was deleted and created again: reading from the beginning", topics);
        startOver();
    }

    private void startOver() {
        topics.forget();
        ids.forget();
        caughtUp = false;
        leaderless = Set.of();
        delivery.again();
    }

    private void trouble(Throwable e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        trouble = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        complaints.about(cause.toString());
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void pause(Duration pause) {
        try {
            if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("closing");
            }
        } catch (InterruptedException e) {
            LOG.debug("interrupted: only close ends a follower");
        }
    }
}
