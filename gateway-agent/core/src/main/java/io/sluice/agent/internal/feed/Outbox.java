package io.sluice.agent.internal.feed;

import io.sluice.agent.internal.log.CallerPartitions;
import io.sluice.agent.internal.log.LogQueue;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventJson;
import io.sluice.contract.topic.TopicNames;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A producer that is recreated after it was closed, and the reason why it does not send. Confined to one thread, except {@link #trouble()} and {@link #connected()}. */
final class Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final long WARN_AFTER_NANOS = 5_000_000_000L;
    /** After this time without another failure there may have been nothing to send. */
    private static final long FORGET_AFTER_NANOS = 60_000_000_000L;

    private final Map<String, Object> settings;
    private final TopicNames topics;
    private final String logTopic;
    private final @Nullable CallerPartitions placement;
    private List<PartitionInfo> known = List.of();
    private BitSet available = new BitSet();
    private final Duration closeTimeout;
    private final String consequence;
    private volatile @Nullable String trouble;
    private volatile @Nullable String warned;
    private volatile long troubledSince;
    private volatile long failed;
    private volatile @Nullable KafkaProducer<byte[], byte[]> producer;
    private boolean stalled;

    /**
     * @param logTopic of the access log
     * @param placement of its entries; {@code null}: evenly over all partitions
     * @param consequence the effect of a failure, for the log
     */
    Outbox(
            Map<String, Object> settings,
            TopicNames topics,
            String logTopic,
            @Nullable CallerPartitions placement,
            Duration closeTimeout,
            String consequence) {
        this.logTopic = logTopic;
        this.placement = placement;
        this.settings = settings;
        this.topics = topics;
        this.closeTimeout = closeTimeout;
        this.consequence = consequence;
    }

    /** Creates a producer if there is none. */
    KafkaProducer<byte[], byte[]> open() {
        KafkaProducer<byte[], byte[]> known = producer;
        if (known == null) {
            known = new KafkaProducer<>(settings);
            producer = known;
        }
        return known;
    }

    /** Returns whether there is a producer. */
    boolean isOpen() {
        return producer != null;
    }

    /** Returns whether there is a connection to a broker, so that what waits may still be sent. */
    boolean connected() {
        KafkaProducer<byte[], byte[]> known = producer;
        if (known == null) {
            return false;
        }
        for (Map.Entry<MetricName, ? extends Metric> metric : known.metrics().entrySet()) {
            if (metric.getKey().name().equals("connection-count")) {
                return metric.getValue().metricValue() instanceof Number count && count.doubleValue() > 0;
            }
        }
        return false;
    }

    /** Returns the last failure in words; {@code null} after a success, or after a minute without another failure. */
    @Nullable
    String trouble() {
        String problem = trouble;
        return problem != null && System.nanoTime() - failed < FORGET_AFTER_NANOS ? problem : null;
    }

    void trouble(Throwable e) {
        Throwable cause = e instanceof KafkaException && e.getCause() != null ? e.getCause() : e;
        String problem = "sending to Kafka: " + cause.getClass().getSimpleName();
        long now = System.nanoTime();
        if (trouble() == null) {
            troubledSince = now;
        }
        failed = now;
        // short failures, such as during the first connection, are not logged
        if (now - troubledSince >= WARN_AFTER_NANOS && !problem.equals(warned)) {
            warned = problem;
            LOG.warn("{}: {}; {} until sending succeeds", problem, cause.getMessage(), consequence);
        }
        trouble = problem;
    }

    private void clearTrouble() {
        if (trouble != null) {
            trouble = null;
            warned = null;
        }
    }

    /** @param appended called on the producer's thread when the broker has appended it */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the result
    void heartbeat(AgentHeartbeat beat, LongConsumer appended) {
        byte[] key = AgentHeartbeatJson.key(beat.agent());
        open().send(new ProducerRecord<>(topics.agents(), key, AgentHeartbeatJson.write(beat)), (metadata, failure) -> {
            if (failure == null) {
                clearTrouble();
                appended.accept(metadata.timestamp());
            } else {
                trouble(failure);
            }
        });
    }

    /**
     * Removes the agent from the fleet, and waits at most this long for the broker. A failure has no effect: agents without heartbeats are removed,
     * too.
     */
    void remove(String agent, Duration wait) {
        ProducerRecord<byte[], byte[]> tombstone =
                new ProducerRecord<>(topics.agents(), AgentHeartbeatJson.key(agent), null);
        try {
            open().send(tombstone).get(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException
                | ExecutionException
                | java.util.concurrent.TimeoutException
                | RuntimeException e) {
            LOG.debug("The broker did not confirm that the agent has ended", e);
        }
    }

    /** Returns whether a send of the access log has timed out since {@link #retry}: another would wait as long. */
    boolean stalled() {
        return stalled;
    }

    /** Allows sends of the access log again. */
    void retry() {
        stalled = false;
    }

    /**
     * Sends an entry of the access log, waiting at most {@code max.block.ms} for room and metadata. Drops and counts it without a producer and while
     * {@link #stalled}.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the result
    void event(RequestEvent event, LogQueue log) {
        KafkaProducer<byte[], byte[]> to = producer;
        long count = event.count();
        if (to == null || stalled) {
            log.dropped(count);
            return;
        }
        Thread sender = Thread.currentThread();
        try {
            Integer partition = partition(to, event);
            to.send(
                    new ProducerRecord<>(logTopic, partition, null, RequestEventJson.write(event)),
                    (metadata, failure) -> {
                        if (failure == null) {
                            clearTrouble();
                            log.sent(count);
                        } else {
                            log.dropped(count);
                            trouble(failure);
                            if (failure instanceof TimeoutException && Thread.currentThread() == sender) {
                                // called back before send returned: it waited for the topic or for room as long as it
                                // may
                                stalled = true;
                            }
                        }
                    });
        } catch (RuntimeException | Error e) {
            log.dropped(count);
            trouble(e);
            stalled = stalled || e instanceof TimeoutException;
        }
    }

    /** Returns {@code null} if the producer is to choose. Waits for metadata as a send does. */
    private @Nullable Integer partition(KafkaProducer<byte[], byte[]> to, RequestEvent event) {
        String caller = event.caller();
        if (placement == null || caller == null) {
            return null;
        }
        List<PartitionInfo> newest = to.partitionsFor(logTopic);
        if (newest != known) {
            known = newest;
            available = new BitSet();
            newest.stream()
                    .filter(it -> it.leader() != null && !it.leader().isEmpty())
                    .forEach(it -> available.set(it.partition()));
        }
        int chosen = placement.choose(caller, available, newest.size());
        return chosen == CallerPartitions.ANY ? null : chosen;
    }

    void close() {
        KafkaProducer<byte[], byte[]> closed = producer;
        if (closed != null) {
            try {
                closed.close(closeTimeout);
            } catch (InterruptException e) {
                Thread.interrupted();
            } catch (RuntimeException e) {
                LOG.debug("Closing the producer failed", e);
            } finally {
                producer = null;
            }
        }
    }
}
