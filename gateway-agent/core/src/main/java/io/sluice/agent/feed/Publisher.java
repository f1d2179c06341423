package io.sluice.agent.feed;

import io.sluice.agent.log.Coalescer;
import io.sluice.agent.log.RequestLog;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventJson;
import io.sluice.contract.topic.TopicNames;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the access log and the agent's heartbeats, on one daemon thread that alone touches the producer. While Kafka
 * can't be reached it goes on trying; what can't be sent is dropped and counted.
 */
public final class Publisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final long MILLI = 1_000_000;
    // half the linger: on average it adds a few milliseconds to a reaction, and an idle agent next to no load
    private static final long IDLE_NANOS = 5 * MILLI;
    private static final long COALESCE_NANOS = 250 * MILLI;
    private static final int COALESCE_KINDS = 10_000;
    private static final long RETRY_NANOS = 1000 * MILLI;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

    private final Map<String, Object> settings;
    private final TopicNames topics;
    private final RequestLog log;
    private final Heartbeat heartbeat;
    private final long heartbeatNanos;
    private final Coalescer coalescer = new Coalescer(COALESCE_NANOS, COALESCE_KINDS, this::send);
    private final Thread thread = new Thread(this::run, "sluice-publisher");
    private volatile boolean closing;
    private volatile @Nullable String trouble;
    private long nextHeartbeat;
    private boolean settled;
    private volatile boolean renewing;
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    /**
     * @param kafka client settings of the service's owner
     * @param heartbeatMillis how often to send a heartbeat
     */
    public Publisher(
            Map<String, Object> kafka,
            String agent,
            TopicNames topics,
            RequestLog log,
            Heartbeat heartbeat,
            long heartbeatMillis) {
        this.settings = ClientSettings.producer(kafka, agent);
        this.topics = topics;
        this.log = log;
        this.heartbeat = heartbeat;
        this.heartbeatNanos = heartbeatMillis * MILLI;
        thread.setDaemon(true);
    }

    /** Starts to send; returns at once. */
    public void start() {
        nextHeartbeat = System.nanoTime();
        thread.start();
    }

    /** What keeps it from sending, in words, or {@code null}. */
    public @Nullable String trouble() {
        return trouble;
    }

    private void run() {
        try {
            while (!closing) {
                try {
                    turn();
                } catch (RuntimeException e) {
                    trouble(e);
                    rest(RETRY_NANOS);
                }
            }
            lastWords();
        } finally {
            closeProducer();
        }
    }

    private void turn() {
        renewIfAsked();
        if (producer == null) {
            producer = new KafkaProducer<>(settings);
        }
        long now = System.nanoTime();
        if (now - nextHeartbeat >= 0) {
            beat(producer, now);
        }
        boolean idle = !drain();
        coalescer.due(System.nanoTime());
        if (idle) {
            rest(IDLE_NANOS);
        }
    }

    private synchronized void renewIfAsked() {
        if (renewing) {
            renewing = false;
            // the sign to stop waiting, and not to stop
            if (Thread.interrupted()) {
                LOG.debug("it was waiting");
            }
            closeProducer();
        }
    }

    /** Moves what waits at this moment; a bounded number, so that heartbeats have their turn. */
    private boolean drain() {
        // a send may wait for a second where there is no broker: closing must not wait for all of them
        for (int i = 0; i < 1000 && !closing && !renewing; i++) {
            RequestEvent event = log.take();
            if (event == null) {
                return i > 0;
            }
            coalescer.add(event, System.nanoTime());
        }
        return true;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback says how it went
    private void beat(KafkaProducer<byte[], byte[]> to, long now) {
        // until the first one is appended the agent does not know broker time: try more often
        nextHeartbeat = now + (settled ? heartbeatNanos : Math.min(heartbeatNanos, RETRY_NANOS));
        AgentHeartbeat beat = heartbeat.now();
        byte[] key = AgentHeartbeatJson.key(beat.agent());
        to.send(new ProducerRecord<>(topics.agents(), key, AgentHeartbeatJson.write(beat)), (metadata, failure) -> {
            if (failure == null) {
                trouble = null;
                heartbeat.appended(metadata.timestamp());
            } else {
                trouble(failure);
            }
        });
        // cold: the topic may not be there yet, and asking for its partitions could create it
        if (trouble == null && beat.freshness() != Freshness.COLD) {
            heartbeat.partitions(to.partitionsFor(topics.gateLocks()).size());
            settled = true;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback says how it went
    private void send(RequestEvent event) {
        KafkaProducer<byte[], byte[]> to = producer;
        long count = event.count();
        // each send may wait for a second where there is no broker: closing must not wait for all of them
        if (to == null || (closing && trouble != null)) {
            log.dropped(count);
            return;
        }
        try {
            to.send(new ProducerRecord<>(topics.requests(), RequestEventJson.write(event)), (metadata, failure) -> {
                if (failure == null) {
                    log.sent(count);
                } else {
                    log.dropped(count);
                    trouble(failure);
                }
            });
        } catch (RuntimeException e) {
            log.dropped(count);
            trouble(e);
        }
    }

    private void trouble(Exception e) {
        Throwable cause = e instanceof KafkaException && e.getCause() != null ? e.getCause() : e;
        String words = "sending to Kafka: " + cause.getClass().getSimpleName();
        if (!words.equals(trouble)) {
            LOG.warn("{}: {}", words, cause.getMessage());
        }
        trouble = words;
    }

    /** What is still in line, as far as a moment is enough for it. */
    private void lastWords() {
        long end = System.nanoTime() + LAST_WORDS.toNanos();
        boolean reachable = producer != null && trouble == null;
        for (RequestEvent event = log.take(); event != null; event = log.take()) {
            if (reachable && trouble == null && System.nanoTime() - end < 0) {
                coalescer.add(event, System.nanoTime());
            } else {
                log.dropped(event.count());
            }
        }
        coalescer.flush();
    }

    private void closeProducer() {
        KafkaProducer<byte[], byte[]> closed = producer;
        producer = null;
        if (closed != null) {
            try {
                closed.close(LAST_WORDS);
            } catch (InterruptException e) {
                Thread.interrupted();
            } catch (RuntimeException e) {
                LOG.debug("closing the producer", e);
            }
        }
    }

    private static void rest(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /** Sends on with a new producer: the wall clock was set back, by which the old one measures its waiting. Returns at once. */
    public synchronized void renew() {
        renewing = true;
        thread.interrupt();
    }

    /** Sends what can be sent at once, and ends the thread; waits for it for at most five seconds. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
