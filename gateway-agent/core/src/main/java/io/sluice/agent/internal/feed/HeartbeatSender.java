package io.sluice.agent.internal.feed;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.topic.TopicNames;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the agent's heartbeats on a daemon thread with its own producer, so that an access log that waits for room, its topic or a quota delays no
 * heartbeat. Analyzers divide a throttle's rate by the number of agents that send heartbeats; a missing agent makes the shares of the others
 * too large. Thread-safe.
 */
final class HeartbeatSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatSender.class);
    private static final long RETRY_NANOS = 1_000_000_000;
    private static final long CLOSE_MILLIS = 2000;

    private final Outbox outbox;
    private final HeartbeatSource heartbeat;
    private final long intervalNanos;
    private final Thread thread = new Thread(this::run, "sluice-heartbeat");
    private volatile boolean closing;
    private volatile boolean renewing;
    private long next;
    private boolean settled;

    /**
     * Creates no client yet.
     *
     * @param kafka client settings of the service's owner
     * @param intervalMillis time from one heartbeat to the next
     */
    HeartbeatSender(
            Map<String, Object> kafka,
            String agent,
            TopicNames topics,
            HeartbeatSource heartbeat,
            long intervalMillis) {
        outbox = new Outbox(
                ClientSettings.heartbeatProducer(kafka, agent),
                topics,
                topics.requests(),
                null,
                Duration.ZERO,
                "heartbeats are not sent");
        this.heartbeat = heartbeat;
        intervalNanos = intervalMillis * 1_000_000;
        thread.setDaemon(true);
    }

    /** Starts sending and returns at once. */
    void start() {
        next = System.nanoTime();
        thread.start();
    }

    /** Returns why heartbeats are not sent, in words, or {@code null}. */
    @Nullable
    String trouble() {
        return outbox.trouble();
    }

    private void run() {
        try {
            while (!closing) {
                try {
                    renewIfAsked();
                    outbox.open();
                    if (System.nanoTime() - next >= 0) {
                        beat();
                    }
                    LockSupport.parkNanos(next - System.nanoTime());
                } catch (InterruptException e) {
                    // sent by renew(), close() or the host; only close() ends this thread
                    Thread.interrupted();
                } catch (RuntimeException | Error e) {
                    // Errors too: without this thread there would be no more heartbeats
                    outbox.trouble(e);
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        } finally {
            // close() blocks correctly only without the interrupt flag
            if (Thread.interrupted()) {
                LOG.debug("interrupted");
            }
            outbox.close();
        }
    }

    private void beat() {
        // until the first append the agent does not know broker time: send more often
        next = System.nanoTime() + (settled ? intervalNanos : Math.min(intervalNanos, RETRY_NANOS));
        AgentHeartbeat beat = heartbeat.now();
        outbox.heartbeat(beat, heartbeat::appended);
        settled |= outbox.trouble() == null && beat.freshness() != Freshness.COLD;
    }

    private synchronized void renewIfAsked() {
        // a pending interrupt would end every pause at once
        if (Thread.interrupted()) {
            LOG.debug("interrupted");
        }
        if (renewing) {
            renewing = false;
            outbox.close();
        }
    }

    /** Continues with a new producer: the old one measures its waits by the wall clock, which was set back. Returns at once. */
    synchronized void renew() {
        renewing = true;
        thread.interrupt();
    }

    /** Stops and waits for the thread for at most two seconds. Unfinished sends are aborted. */
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
}
