package io.sluice.agent.internal.feed;

import io.sluice.agent.internal.gate.Reason;
import io.sluice.agent.internal.log.CallerPartitions;
import io.sluice.agent.internal.log.Coalescer;
import io.sluice.agent.internal.log.LogQueue;
import io.sluice.contract.agent.AgentReason;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.topic.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the access log on one daemon thread, which alone uses its producer, and heartbeats on another. Retries while Kafka is unreachable; entries that
 * cannot be sent are dropped and counted.
 */
public final class Publisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final long MILLI = 1_000_000;
    // half the linger time: adds a few milliseconds to a reaction, and almost no load to an idle agent
    private static final long IDLE_NANOS = 5 * MILLI;
    private static final long COALESCE_NANOS = 250 * MILLI;
    private static final int COALESCE_KINDS = 10_000;
    private static final long RETRY_NANOS = 1000 * MILLI;
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private final Outbox outbox;
    private final LogQueue log;
    private final HeartbeatSender heartbeats;
    private final Coalescer coalescer = new Coalescer(COALESCE_NANOS, COALESCE_KINDS, this::send);
    private final Thread thread = new Thread(this::run, "sluice-publisher");
    private volatile boolean closing;
    private volatile boolean renewing;
    private boolean drained;

    /**
     * @param kafka client settings of the host
     * @param logTopic of the access log
     * @param logSpread the most partitions with entries of one caller, or 0: all
     * @param heartbeatMillis the interval of heartbeats, milliseconds
     */
    public Publisher(
            Map<String, Object> kafka,
            String agent,
            TopicNames topics,
            String logTopic,
            int logSpread,
            LogQueue log,
            HeartbeatSource heartbeat,
            long heartbeatMillis) {
        this.outbox = new Outbox(
                ClientSettings.producer(kafka, agent),
                topics,
                logTopic,
                logSpread == 0 ? null : new CallerPartitions(logSpread),
                DRAIN_TIMEOUT,
                "the access log is dropped and counted");
        this.log = log;
        this.heartbeats = new HeartbeatSender(kafka, agent, topics, heartbeat, heartbeatMillis);
        thread.setDaemon(true);
    }

    /** Starts sending and returns at once. */
    public void start() {
        thread.start();
        heartbeats.start();
    }

    /** Returns why records are not sent. */
    public List<Reason> reasons() {
        List<Reason> reasons = new ArrayList<>();
        String unsent = heartbeats.trouble();
        if (unsent != null) {
            reasons.add(new Reason(AgentReason.HEARTBEATS_UNSENT, "heartbeats: " + unsent));
        }
        String unlogged = outbox.trouble();
        if (unlogged != null) {
            reasons.add(new Reason(AgentReason.LOG_UNSENT, "access log: " + unlogged));
        }
        return reasons;
    }

    private boolean troubled() {
        return heartbeats.trouble() != null || outbox.trouble() != null;
    }

    private void run() {
        try {
            while (!closing) {
                try {
                    runOnce();
                } catch (InterruptException e) {
                    // sent by renew() or the host; only close() ends this thread
                    Thread.interrupted();
                } catch (RuntimeException | Error e) {
                    // Errors too: without this thread there would be no more access log
                    outbox.trouble(e);
                    pause(RETRY_NANOS);
                }
            }
            drainOnClose();
        } finally {
            beginClosing();
            outbox.close();
        }
    }

    /** From now on nothing interrupts: a producer whose close is interrupted leaves something of itself behind. */
    private synchronized void beginClosing() {
        drained = true;
        if (Thread.interrupted()) {
            LOG.debug("Interrupted a send to close the producer");
        }
    }

    private synchronized void interruptSend() {
        if (!drained) {
            thread.interrupt();
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
            // the interrupt ended a wait, not the thread
            if (Thread.interrupted()) {
                LOG.debug("Interrupted a wait to renew the producer");
            }
            outbox.close();
        }
    }

    /** Moves a bounded number of queued entries to the coalescer; stops after a send that timed out, so that coalesced entries are not delayed. */
    private boolean drain() {
        // without a broker a send blocks for max.block.ms: closing must not wait for all of them
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
        // without a broker each send may block for max.block.ms: closing must not wait for all of them
        if (closing && troubled()) {
            log.dropped(event.count());
        } else {
            outbox.event(event, log);
        }
    }

    /** Sends the queued entries as far as the time allows. */
    private void drainOnClose() {
        long end = System.nanoTime() + DRAIN_TIMEOUT.toNanos();
        boolean reachable = outbox.isOpen();
        for (RequestEvent event = log.take(); event != null; event = log.take()) {
            if (reachable && !troubled() && System.nanoTime() - end < 0) {
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

    /** Continues with a new producer: the old one measures its waits by the wall clock, which was set back. Returns at once. */
    public synchronized void renew() {
        renewing = true;
        thread.interrupt();
        heartbeats.renew();
    }

    /**
     * Sends what can be sent and ends both threads. A send that waits is interrupted after five seconds, and after one second when there is no
     * connection to a broker. Returns within seven seconds.
     */
    @Override
    public void close() {
        long end = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
        closing = true;
        LockSupport.unpark(thread);
        join(CONNECT_TIMEOUT.toMillis());
        if (!outbox.connected()) {
            interruptSend();
        }
        join((end - System.nanoTime()) / MILLI);
        // max.block.ms may be set to minutes
        interruptSend();
        // not earlier: an aborted heartbeat would count as a failure to send the last entries
        heartbeats.close();
        log.close();
    }

    private void join(long millis) {
        try {
            thread.join(Math.max(1, millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
