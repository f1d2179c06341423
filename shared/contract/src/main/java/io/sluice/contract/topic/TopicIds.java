package io.sluice.contract.topic;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects topics that were deleted and created again. Name, partitions and end offset can all be as before; only the topic id differs, and
 * consumers do not expose it. An admin client asks for the ids at intervals; no method waits for the answer. Where ids are not available,
 * that is logged once and such topics are found by their partitions and offsets alone. Confined to one thread, except {@link #known}.
 */
final class TopicIds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicIds.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    private final List<String> topics;
    private final Supplier<Admin> clients;
    private final long intervalNanos;
    private final Map<String, Uuid> ids = new ConcurrentHashMap<>();
    private Map<String, KafkaFuture<TopicDescription>> pending = Map.of();
    private @Nullable Admin client;
    private long next;
    private boolean warned;

    /**
     * Creates no client yet.
     *
     * @param clients called again after each {@link #close}
     * @param interval time from one question to the next
     */
    TopicIds(List<String> topics, Supplier<Admin> clients, Duration interval) {
        this.topics = topics;
        this.clients = clients;
        this.intervalNanos = interval.toNanos();
        this.next = System.nanoTime();
    }

    /** Asks for the ids when that is due. Returns true once for each change of an id. */
    boolean changed() {
        boolean changed = false;
        if (!pending.isEmpty() && pending.values().stream().allMatch(KafkaFuture::isDone)) {
            for (Map.Entry<String, KafkaFuture<TopicDescription>> answer : pending.entrySet()) {
                changed |= changed(answer.getKey(), answer.getValue());
            }
            pending = Map.of();
        }
        if (pending.isEmpty() && System.nanoTime() - next >= 0) {
            next = System.nanoTime() + intervalNanos;
            ask();
        }
        return changed;
    }

    private void ask() {
        try {
            Admin asked = client;
            if (asked == null) {
                asked = clients.get();
                client = asked;
            }
            pending = new HashMap<>(asked.describeTopics(topics).topicNameValues());
        } catch (RuntimeException | LinkageError e) {
            warn(String.join(", ", topics), e.toString());
        }
    }

    private boolean changed(String topic, KafkaFuture<TopicDescription> answer) {
        try {
            Uuid id = Broker.answer(answer).topicId();
            if (id.equals(Uuid.ZERO_UUID)) {
                warn(topic, "the broker has none");
                return false;
            }
            Uuid before = ids.put(topic, id);
            return before != null && !before.equals(id);
        } catch (RuntimeException e) {
            // no multi-catch: which class two exceptions have in common differs between versions of Kafka, and the
            // verifier looks at it
            if (e instanceof AuthorizationException || e instanceof UnsupportedVersionException) {
                warn(topic, e.toString());
            } else {
                // the consumer reports a topic that is missing and a broker that does not answer
                LOG.debug("the id of {} is not available", topic, e);
            }
        }
        return false;
    }

    private void warn(String what, String why) {
        if (!warned) {
            warned = true;
            LOG.warn(
                    "the topic ids of {} are not available: {}. If a topic is deleted and created again with at least as many records,"
                            + " restart this process to read it",
                    what,
                    why);
        }
    }

    /** Returns whether the id of each topic is known. Thread-safe. */
    boolean known() {
        return ids.keySet().containsAll(topics);
    }

    /** Forgets all ids: the next answer has the ids of what was read. */
    void forget() {
        ids.clear();
        pending = Map.of();
    }

    /** Closes the client; the ids are kept, and compared with the next client's answer at once. */
    @Override
    public void close() {
        Admin closed = client;
        client = null;
        pending = Map.of();
        next = System.nanoTime();
        if (closed != null) {
            closed.close(CLOSE_TIMEOUT);
        }
    }
}
