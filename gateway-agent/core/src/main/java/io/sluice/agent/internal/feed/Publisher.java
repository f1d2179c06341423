package io.sluice.agent.internal.feed;

import io.sluice.agent.internal.log.Coalescer;
import io.sluice.agent.internal.log.LogQueue;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.topic.TopicNames;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the access log, on one daemon thread that alone touches its producer, and the agent's heartbeats, on another. While Kafka
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
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Outbox outbox;
    private final LogQueue log;
    private final HeartbeatSender heartbeats;
    private final Coalescer coalescer = new Coalescer(COALESCE_NANOS, COALESCE_KINDS, this::send);
    private final Thread thread = new Thread(this::run, "sluice-publisher");
    private volatile boolean closing;
    private volatile boolean renewing;

    /**
     * @param kafka client settings of the service's owner
     * @param heartbeatMillis how often to send a heartbeat
     */
    public Publisher(
            Map<String, Object> kafka,
            String agent,
            TopicNames topics,
            LogQueue log,
            HeartbeatSource heartbeat,
            long heartbeatMillis) {
        this.outbox = new Outbox(
                ClientSettings.producer(kafka, agent), topics, DRAIN_TIMEOUT, "the access log is dropped and counted");
        this.log = log;
        this.heartbeats = new HeartbeatSender(kafka, agent, topics, heartbeat, heartbeatMillis);
        thread.setDaemon(true);
    }

    /** Starts to send; returns at once. */
    public void start() {
        thread.start();
        heartbeats.start();
    }

    /** What keeps it from sending, in words, or {@code null}. */
    public @Nullable String trouble() {
        String trouble = heartbeats.trouble();
        return trouble == null ? outbox.trouble() : trouble;
    }

    private void run() {
        try {
            while (!closing) {
                try {
                    runOnce();
                } catch (InterruptException e) {
                    // to renew the producer, or by the host: only close ends this thread
                    Thread.interrupted();
                } catch (RuntimeException | Error e) {
                    // an Error too: without this thread there is no access log for ever
                    outbox.trouble(e);
                    pause(RETRY_NANOS);
                }
            }
            drainOnClose();
        } finally {
            outbox.close();
        }
    }

    private void runOnce() {
        renewIfAsked();
        outbox.open();
        outbox.retry();
        boolean idle = !drain();
        coalescer.flushDue(System.nanoTime());
        if (idle) {
            pause(IDLE_NANOS);
        }
    }

    private synchronized void renewIfAsked() {
        if (renewing) {
            renewing = false;
            // the sign to stop waiting, and not to stop
            if (Thread.interrupted()) {
                LOG.debug("it was waiting");
            }
            outbox.close();
        }
    }

    /** Moves what waits at this moment: a bounded number, and none behind a send that waited in vain, so that what was coalesced is not late. */
    private boolean drain() {
        // a send may wait for a second where there is no broker: closing must not wait for all of them
        for (int i = 0; i < 1000 && !closing && !renewing && !outbox.stalled(); i++) {
            RequestEvent event = log.take();
            if (event == null) {
                return i > 0;
            }
            coalescer.add(event, System.nanoTime());
        }
        return true;
    }

    private void send(RequestEvent event) {
        // each send may wait for a second where there is no broker: closing must not wait for all of them
        if (closing && trouble() != null) {
            log.dropped(event.count());
        } else {
            outbox.event(event, log);
        }
    }

    /** What is still in line, as far as a moment is enough for it. */
    private void drainOnClose() {
        long end = System.nanoTime() + DRAIN_TIMEOUT.toNanos();
        boolean reachable = outbox.isOpen();
        for (RequestEvent event = log.take(); event != null; event = log.take()) {
            if (reachable && trouble() == null && System.nanoTime() - end < 0) {
                coalescer.add(event, System.nanoTime());
            } else {
                log.dropped(event.count());
            }
        }
        coalescer.flush();
    }

    private static void pause(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /** Sends on with a new producer: the wall clock was set back, by which the old one measures its waiting. Returns at once. */
    public synchronized void renew() {
        renewing = true;
        thread.interrupt();
        heartbeats.renew();
    }

    /** Sends what can be sent at once, and ends both threads. Interrupts a send of the access log after five seconds; returns within seven. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            // the owner may have given max.block.ms minutes
            thread.interrupt();
        }
        // not before: an aborted heartbeat would look as if the last entries could not be sent either
        heartbeats.close();
        log.close();
    }
}
