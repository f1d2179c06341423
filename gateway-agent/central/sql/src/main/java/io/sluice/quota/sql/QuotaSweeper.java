package io.sluice.quota.sql;

import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the server delete rows that equal missing ones. Every client tries each {@value #PAUSE_SECONDS} seconds, and of all clients one succeeds: the
 * server reads {@value #BLOCKS} blocks (32 MiB) per {@value #PAUSE_SECONDS} seconds, however large the fleet is. A client that deleted
 * {@value #MANY} rows or more goes on a second later, so that a flood of invented subjects leaves as fast as it came. A client whose sweep takes longer
 * than a statement may reads a quarter of the blocks a second later, and twice as many after each one that succeeds. Thread-safe.
 */
final class QuotaSweeper implements AutoCloseable {
    static final int BLOCKS = 4_096;
    static final int PAUSE_SECONDS = 5;
    static final int SHORT_PAUSE_SECONDS = 1;
    static final int MANY = 10_000;

    /** The state of a statement that {@code statement_timeout} has ended. */
    private static final String CANCELED = "57014";

    private static final Logger LOG = LoggerFactory.getLogger(QuotaSweeper.class);

    /** Lends a connection. */
    interface Connections {
        int use(ConnectionPool.Use<Integer> use) throws SQLException;
    }

    private final ScheduledExecutorService timer;
    private final Connections connections;
    // only the timer's thread uses them
    private int blocks = BLOCKS;
    private int pause = PAUSE_SECONDS;
    private boolean failed;

    QuotaSweeper(Connections connections) {
        this.connections = connections;
        timer = Executors.newSingleThreadScheduledExecutor(task -> SqlQuota.daemon(task, "sluice-quota-sweep"));
        // clients that start together do not sweep together
        long first = ThreadLocalRandom.current().nextLong(TimeUnit.SECONDS.toMillis(PAUSE_SECONDS));
        schedule(first);
    }

    private void schedule(long millis) {
        try {
            var unused = timer.schedule(this::sweepAndGoOn, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // closed
        }
    }

    private void sweepAndGoOn() {
        pause = sweep();
        schedule(TimeUnit.SECONDS.toMillis(pause));
    }

    /** Returns the seconds until the next sweep. */
    private int sweep() {
        try {
            int deleted = connections.use(connection -> TokenStatements.sweep(connection, blocks, pause));
            failed = false;
            if (deleted >= 0) {
                blocks = Math.min(BLOCKS, 2 * blocks);
            }
            return deleted >= MANY ? SHORT_PAUSE_SECONDS : PAUSE_SECONDS;
        } catch (SQLException | RuntimeException e) {
            if (blocks > 1 && e instanceof SQLException answer && CANCELED.equals(answer.getSQLState())) {
                blocks = Math.max(1, blocks / 4);
                return SHORT_PAUSE_SECONDS;
            }
            if (!failed) {
                LOG.warn(
                        "Rows of unused quotas were not removed; retrying every {} s: {}", PAUSE_SECONDS, e.toString());
            }
            failed = true;
            return PAUSE_SECONDS;
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
