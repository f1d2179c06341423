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
    private static final Duration REMOVAL_WAIT = Duration.ofSeconds(1);

    private final String agent;
    private final Outbox outbox;
    private final HeartbeatSource heartbeat;
    private final long intervalNanos;
    private final Thread thread = new Thread(this::run, "sluice-heartbeat");
    private volatile boolean closing;
    private volatile boolean renewing;
    /** True once the broker has appended a heartbeat of the present producer. */
    private volatile boolean appended;

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
        this.agent = agent;
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
            beginClosing();
            remove();
        } finally {
            // close() blocks correctly only without the interrupt flag
            clearInterrupt();
            outbox.close();
        }
    }

    /** From now on neither {@link #close} nor {@link #renew} interrupts. */
    private synchronized void beginClosing() {
        clearInterrupt();
    }

    private static void clearInterrupt() {
        if (Thread.interrupted()) {
            LOG.debug("interrupted");
        }
    }

    /** The other agents of the service get its part of fleet rates at once, and not when it has been silent for long enough. */
    private void remove() {
        // otherwise a send could wait for the topic, or for a broker that is gone
        if (appended && outbox.trouble() == null && outbox.connected()) {
            outbox.remove(agent, REMOVAL_WAIT);
        }
    }

    private void beat() {
        // until the first append the agent does not know broker time: send more often
        next = System.nanoTime() + (settled ? intervalNanos : Math.min(intervalNanos, RETRY_NANOS));
        AgentHeartbeat beat = heartbeat.now();
        outbox.heartbeat(beat, time -> {
            appended = true;
            heartbeat.appended(time);
        });
        settled |= outbox.trouble() == null && beat.freshness() != Freshness.COLD;
    }

    private synchronized void renewIfAsked() {
        // a pending interrupt would end every pause at once
        clearInterrupt();
        if (renewing) {
            renewing = false;
            outbox.close();
            appended = false;
        }
    }

    /** Continues with a new producer: the old one measures its waits by the wall clock, which was set back. Returns at once. */
    synchronized void renew() {
        if (!closing) {
            renewing = true;
            thread.interrupt();
        }
    }

    /** Removes the agent from the fleet and waits for the thread, for at most two seconds. Unfinished sends are aborted. */
    @Override
    public void close() {
        synchronized (this) {
            closing = true;
            thread.interrupt();
        }
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
