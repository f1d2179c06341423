package io.sluice.agent;

import io.sluice.agent.internal.gate.Decisions;
import io.sluice.contract.topic.WallClockStep;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks after what only time changes: freshness, ended leases, idle gates; and whether the wall clock was set back. One daemon thread. */
final class Keeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
    private static final long TURN_NANOS = 100_000_000;
    private static final int TIDY_TURNS = 50;
    private static final int CROWDED_TIDY_TURNS = 10;
    private static final long CLOSE_PATIENCE_MILLIS = 5000;

    private final Decisions decisions;
    private final LongSupplier ticks;
    private final Runnable whenSetBack;
    private final WallClockStep clock = new WallClockStep();
    private final Thread thread = new Thread(this::run, "sluice-keeper");
    private volatile boolean closing;

    /** @param whenSetBack must return at once */
    Keeper(Decisions decisions, LongSupplier ticks, Runnable whenSetBack) {
        this.decisions = decisions;
        this.ticks = ticks;
        this.whenSetBack = whenSetBack;
        thread.setDaemon(true);
    }

    void start() {
        turn(1);
        thread.start();
    }

    private void run() {
        for (int turn = 1; !closing; turn++) {
            try {
                turn(turn);
            } catch (RuntimeException | Error e) {
                LOG.warn("Agent maintenance failed; trying again in 100 ms", e);
            }
            // a set interrupt flag would let it spin
            if (Thread.interrupted()) {
                LOG.debug("interrupted: only close ends it");
            }
            LockSupport.parkNanos(TURN_NANOS);
        }
    }

    private void turn(int turn) {
        decisions.refresh(ticks.getAsLong(), System.currentTimeMillis());
        long back = clock.back();
        if (back > 0) {
            LOG.warn("the wall clock was set back by {} ms: new Kafka clients, for the old ones measure by it", back);
            whenSetBack.run();
        }
        if (turn % (decisions.crowded() ? CROWDED_TIDY_TURNS : TIDY_TURNS) == 0) {
            decisions.tidy(ticks.getAsLong());
        }
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
