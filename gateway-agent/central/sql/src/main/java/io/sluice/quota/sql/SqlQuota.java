package io.sluice.quota.sql;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Quotas in PostgreSQL: one statement per request, in the server's time. Requests wait in a bounded queue for one of a few threads, of which each
 * uses one connection; those that cannot wait, or have waited for longer than the connection timeout, fail. Thread-safe.
 */
final class SqlQuota implements QuotaStrategy {
    /** An undefined function: the migration has not been applied. */
    private static final String NO_FUNCTION = "42883";

    private final SqlSettings settings;
    private final ConnectionPool connections;
    private final ThreadPoolExecutor threads;
    private final QuotaSweeper sweeper;
    private volatile boolean migrated;

    SqlQuota(SqlSettings settings) {
        this.settings = settings;
        connections = new ConnectionPool(settings);
        threads = new ThreadPoolExecutor(
                settings.connections(),
                settings.connections(),
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(settings.queue()),
                task -> daemon(task, "sluice-quota-sql"));
        threads.allowCoreThreadTimeOut(true);
        migrated = !settings.migrate();
        sweeper = new QuotaSweeper(this::use);
    }

    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public String name() {
        return SqlQuotaProvider.NAME;
    }

    @Override
    public Set<Algorithm> algorithms() {
        return Set.of(Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW);
    }

    @Override
    public CompletionStage<QuotaAnswer> acquire(List<QuotaCharge> charges) {
        return request(charges, false);
    }

    @Override
    public CompletionStage<Void> adjust(List<QuotaCharge> corrections) {
        return request(corrections, true).thenApply(answer -> null);
    }

    private CompletableFuture<QuotaAnswer> request(List<QuotaCharge> charges, boolean forced) {
        CompletableFuture<QuotaAnswer> answer = new CompletableFuture<>();
        long asked = System.nanoTime();
        try {
            threads.execute(() -> request(charges, forced, asked, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new IOException(
                    threads.isShutdown()
                            ? "the strategy sql is closed"
                            : settings + ": " + settings.queue()
                                    + " requests wait for a connection already (agent.quota.sql.queue)"));
        }
        return answer;
    }

    private void request(List<QuotaCharge> charges, boolean forced, long asked, CompletableFuture<QuotaAnswer> answer) {
        long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked);
        if (waited > settings.connectionMillis()) {
            // the caller has given up: permits taken now would be lost
            answer.completeExceptionally(
                    new TimeoutException(settings + ": no connection was free within " + waited + " ms"));
            return;
        }
        try {
            answer.complete(use(connection -> TokenStatements.request(connection, charges, forced)));
        } catch (SQLException e) {
            answer.completeExceptionally(new IOException(settings + ": " + explain(e), e));
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    private static String explain(SQLException e) {
        return NO_FUNCTION.equals(e.getSQLState())
                ? "the migration V1__quota.sql is missing; apply it, or set agent.quota.sql.migrate to true ("
                        + e.getMessage() + ")"
                : String.valueOf(e.getMessage());
    }

    private <T> T use(ConnectionPool.Use<T> use) throws SQLException {
        if (!migrated) {
            migrate();
        }
        return connections.use(use);
    }

    private synchronized void migrate() throws SQLException {
        if (!migrated) {
            migrated = connections.use(connection -> {
                QuotaMigration.apply(connection);
                return true;
            });
        }
    }

    @Override
    public void close() {
        sweeper.close();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(settings.statementMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
        connections.close();
    }
}
