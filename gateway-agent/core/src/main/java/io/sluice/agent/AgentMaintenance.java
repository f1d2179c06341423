package io.sluice.agent;

import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.contract.topic.WallClockStep;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Updates what only time changes, every 100 ms on a daemon thread: freshness, expired leases, idle gates, and steps of the wall clock. */
final class AgentMaintenance implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentMaintenance.class);
    private static final long INTERVAL_NANOS = 100_000_000;
    private static final int TIDY_RUNS = 50;
    private static final int CROWDED_TIDY_RUNS = 10;
    private static final long CLOSE_TIMEOUT_MILLIS = 5000;

    private final DecisionState decisions;
    private final LongSupplier ticks;
    private final Runnable whenSetBack;
    private final Runnable failed;
    private final WallClockStep clock = new WallClockStep();
    private final Thread thread = new Thread(this::run, "sluice-keeper");
    private volatile boolean closing;
    private volatile @Nullable String trouble;

    /**
     * @param whenSetBack called after the wall clock was set back; must return at once
     * @param failed called when a run fails
     */
    AgentMaintenance(DecisionState decisions, LongSupplier ticks, Runnable whenSetBack, Runnable failed) {
        this.failed = failed;
        this.decisions = decisions;
        this.ticks = ticks;
        this.whenSetBack = whenSetBack;
        thread.setDaemon(true);
    }

    void start() {
        runOnce(1);
        thread.start();
    }

    /** Returns why the last run failed, in words; {@code null} when it did not. */
    @Nullable
    String trouble() {
        return trouble;
    }

    private void run() {
        for (int turn = 1; !closing; turn++) {
            try {
                runOnce(turn);
                trouble = null;
            } catch (RuntimeException | Error e) {
                trouble = "agent maintenance: " + e.getClass().getSimpleName();
                failed.run();
                LOG.warn("Agent maintenance failed; retrying in 100 ms", e);
            }
            // with the interrupt flag set, parkNanos returns at once
            if (Thread.interrupted()) {
                LOG.debug("Interrupt ignored: only close() ends this thread");
            }
            LockSupport.parkNanos(INTERVAL_NANOS);
        }
    }

    private void runOnce(int turn) {
        decisions.refresh(ticks.getAsLong(), System.currentTimeMillis());
        long back = clock.back();
        if (back > 0) {
            LOG.warn(
                    "The wall clock was set back by {} ms; renewing the Kafka clients, whose waits depend on it", back);
            whenSetBack.run();
        }
        if (turn % (decisions.crowded() ? CROWDED_TIDY_RUNS : TIDY_RUNS) == 0) {
            decisions.tidy(ticks.getAsLong());
        }
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_TIMEOUT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
