package io.sluice.analyzer.notify;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.topic.RecordSignatures;
import io.sluice.settings.WebhookSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies one webhook of changes of locks. The gate-locks topic is its queue: it reads it as a consumer group, of which all analyzers are
 * members, and commits delivered events. So each lock is reported by one analyzer, nothing is lost when that one ends, and events delivered without
 * a commit are delivered again under the same id. The analyzer itself is never waited for, nor does it wait. One daemon thread.
 */
public final class Notifier implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Notifier.class);
    private static final int REMEMBERED = 100_000;
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long CLOSE_MILLIS = 5_000;

    private final WebhookSettings settings;
    private final Backoff backoff;
    private final Map<String, Object> client;
    private final String topic;
    private final Announcements announcements = new Announcements(REMEMBERED);
    private final Fences fences = new Fences();
    private final Holding holding;
    private final Telling telling;
    private final @Nullable RecordSignatures signatures;
    private final Thread thread = new Thread(this::run, "sluice-webhook");
    private volatile boolean closing;
    private boolean moved;
    private boolean staying;

    private Notifier(
            WebhookSettings settings,
            Webhook webhook,
            Backoff backoff,
            Map<String, Object> client,
            String topic,
            Holding holding) {
        this.holding = holding;
        this.settings = settings;
        this.telling = new Telling(settings.url(), webhook, backoff);
        this.backoff = backoff;
        this.client = RecordSignatures.without(client);
        signatures = RecordSignatures.of(client);
        this.topic = topic;
        thread.setDaemon(true);
    }

    /**
     * Starts to deliver.
     *
     * @param secret what messages are signed with; {@code null} for no signature
     * @param client what every Kafka client is given
     * @param application what the name of the consumer group begins with
     * @param holding which locks are still worth announcing
     */
    public static Notifier start(
            WebhookSettings settings,
            byte @Nullable [] secret,
            Map<String, Object> client,
            String application,
            String topic,
            Holding holding) {
        return start(settings, secret, new Backoff(1_000, 60_000), ANSWER, client, application, topic, holding);
    }

    static Notifier start(
            WebhookSettings settings,
            byte @Nullable [] secret,
            Backoff backoff,
            Duration answer,
            Map<String, Object> client,
            String application,
            String topic,
            Holding holding) {
        Map<String, Object> consumer = ReceiverGroup.settings(client, application, settings.url());
        Notifier notifier =
                new Notifier(settings, new Webhook(settings.url(), secret, answer), backoff, consumer, topic, holding);
        notifier.thread.start();
        return notifier;
    }

    /** Returns the receiver's host; the rest of its URL may be a secret. */
    public String receiver() {
        return settings.url().getHost();
    }

    /** How many were taken. */
    public long taken() {
        return telling.taken.get();
    }

    /** Returns the number of repeated attempts. */
    public long retried() {
        return telling.retried.get();
    }

    /** How many were given up: refused, or not taken for an hour. */
    public long lost() {
        return telling.lost.get();
    }

    /** How many locks were over before they could be announced. */
    public long over() {
        return announcements.over();
    }

    private void run() {
        int failed = 0;
        while (!closing) {
            try (KafkaConsumer<byte[], byte[]> consumer =
                    new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                consumer.subscribe(List.of(topic), new Moves(consumer));
                while (!closing && readOn(consumer)) {
                    failed = 0;
                }
            } catch (KafkaException e) {
                failed++;
                log.warn("webhook {}: {}; trying again", settings.url().getHost(), e.toString());
                rest(backoff.millis(failed, RandomGenerator.getDefault()));
            }
        }
    }

    /** Reads once; false when it was interrupted, after which only another consumer begins again where this one committed. */
    private boolean readOn(KafkaConsumer<byte[], byte[]> consumer) {
        try {
            read(consumer);
            return true;
        } catch (InterruptException | InterruptedException e) {
            // an interrupted thread can't leave the group, and the others would wait until it is taken for dead
            Thread.interrupted();
            return false;
        }
    }

    private void read(KafkaConsumer<byte[], byte[]> consumer) throws InterruptedException {
        var records = consumer.poll(POLL);
        // what came before these records is no concern of theirs
        moved = false;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Optional<Announcement> news =
                    news(record).filter(it -> settings.events().contains(it.event()));
            if (news.isPresent()) {
                boolean settled = !closing
                        && telling.tell(news.get(), () -> over(news.get(), record), millis -> stay(consumer, millis));
                if (!settled || moved) {
                    // the new owner of the partitions begins at the committed offset
                    return;
                }
                commit(consumer, record);
            }
        }
        Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
        records.partitions()
                .forEach(partition -> read.put(partition, fences.commit(partition, consumer.position(partition))));
        if (!read.isEmpty()) {
            consumer.commitSync(read);
        }
    }

    private Optional<Announcement> news(ConsumerRecord<byte[], byte[]> record) {
        if (signatures != null && signatures.refusal(record) != null) {
            // the analyzer counts it
            return Optional.empty();
        }
        try {
            LockValidity validity = fences.of(new TopicPartition(record.topic(), record.partition()));
            return validity.admitted(record.partition(), record.key(), record.value())
                                    .orElse(null)
                            instanceof GateLock lock
                    ? announcements.of(lock, record.timestamp(), holding.holds(lock, record.timestamp()))
                    : Optional.empty();
        } catch (MalformedRecord e) {
            // the analyzer counts it
            return Optional.empty();
        }
    }

    /** Returns whether the lock's lease has ended while the receiver did not take it; its release is no news then, either. */
    private boolean over(Announcement news, ConsumerRecord<?, ?> record) {
        GateLock lock = news.lock();
        boolean over = lock.mode() != Mode.OPEN && !holding.holds(lock, record.timestamp());
        if (over) {
            announcements.over(lock);
        }
        return over;
    }

    private void commit(KafkaConsumer<?, ?> consumer, ConsumerRecord<?, ?> told) {
        TopicPartition partition = new TopicPartition(told.topic(), told.partition());
        consumer.commitSync(Map.of(partition, fences.commit(partition, told.offset() + 1)));
    }

    /**
     * Waits as a member of the group that reads nothing more.
     *
     * @return whether the last delivery is still its own
     */
    private boolean stay(KafkaConsumer<byte[], byte[]> consumer, long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        staying = true;
        try {
            consumer.pause(consumer.assignment());
            while (System.nanoTime() - end < 0 && !closing && !moved) {
                consumer.poll(Duration.ofMillis(Math.min(100, Math.max(1, millis))));
            }
            consumer.resume(consumer.assignment());
        } finally {
            staying = false;
        }
        return !moved && !closing;
    }

    private static void rest(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Ends; what was not accepted yet is delivered by another analyzer, or by this one after a restart. */
    @Override
    public void close() {
        closing = true;
        thread.interrupt();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Moves implements ConsumerRebalanceListener {
        private final KafkaConsumer<?, ?> consumer;

        Moves(KafkaConsumer<?, ?> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            moved |= !partitions.isEmpty();
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            announcements.forget();
            fences.clear();
            consumer.committed(new HashSet<>(partitions)).forEach(fences::restore);
            if (staying) {
                // else the poll that only waits would return records that nothing reads
                consumer.pause(partitions);
            }
            // where a new group begins, it also goes on after an end that came before its first delivery
            Map<TopicPartition, OffsetAndMetadata> begin = new HashMap<>();
            partitions.forEach(
                    partition -> begin.put(partition, fences.commit(partition, consumer.position(partition))));
            consumer.commitSync(begin);
        }
    }
}
