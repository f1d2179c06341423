package io.sluice.quota.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Connections to PostgreSQL, each used by one thread at a time: as many as there are threads. One that fails is closed and takes the idle ones with
 * it, so that a restarted server is reached by the next request; opening is left to the requests, and a server that refuses connections is
 * known at once. Thread-safe.
 */
final class ConnectionPool implements AutoCloseable {
    /** Closed after use: a failover moves the name, and a server's session grows. */
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(30);

    private final SqlSettings settings;
    private final ConcurrentLinkedDeque<Opened> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    private record Opened(Connection connection, long since) {}

    /** What is done with a connection. */
    interface Use<T> {
        T with(Connection connection) throws SQLException;
    }

    ConnectionPool(SqlSettings settings) {
        this.settings = settings;
    }

    /** Lends a connection in auto-commit mode to the calling thread. */
    <T> T use(Use<T> use) throws SQLException {
        Opened last = idle.pollFirst();
        Opened opened = last == null ? open() : last;
        try {
            T result = use.with(opened.connection);
            if (System.nanoTime() - opened.since > LONGEST_NANOS) {
                opened.connection.close();
            } else {
                idle.addFirst(opened);
            }
            if (closed) {
                closeIdle();
            }
            return result;
        } catch (SQLException | RuntimeException e) {
            discard(opened.connection, e);
            throw e;
        }
    }

    private Opened open() throws SQLException {
        Properties properties = new Properties();
        if (!settings.user().isEmpty()) {
            properties.setProperty(PGProperty.USER.getName(), settings.user());
        }
        if (!settings.password().isEmpty()) {
            properties.setProperty(PGProperty.PASSWORD.getName(), settings.password());
        }
        properties.setProperty(PGProperty.CONNECT_TIMEOUT.getName(), seconds(settings.connectionMillis()));
        properties.setProperty(PGProperty.LOGIN_TIMEOUT.getName(), seconds(settings.connectionMillis()));
        // a server that is frozen, or gone without a word, does not hold a thread for good
        properties.setProperty(PGProperty.SOCKET_TIMEOUT.getName(), seconds(settings.statementMillis()));
        properties.setProperty(PGProperty.TCP_KEEP_ALIVE.getName(), "true");
        properties.setProperty(PGProperty.APPLICATION_NAME.getName(), "sluice");
        Connection connection = new Driver().connect(settings.url(), properties);
        if (connection == null) {
            throw new SQLException("the driver of PostgreSQL does not take the URL " + settings);
        }
        try (var statement = connection.createStatement()) {
            // waiting for a row and then reading it anew needs this level, whatever the server's default is
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            statement.execute("SET statement_timeout = " + settings.statementMillis() + "; SET synchronous_commit = "
                    + (settings.durable() ? "on" : "off"));
        } catch (SQLException e) {
            discard(connection, e);
            throw e;
        }
        return new Opened(connection, System.nanoTime());
    }

    private static String seconds(long millis) {
        return String.valueOf(millis / 1_000 + 1);
    }

    private void discard(@Nullable Connection connection, Exception failure) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
        closeIdle();
    }

    private void closeIdle() {
        for (Opened each = idle.pollFirst(); each != null; each = idle.pollFirst()) {
            try {
                each.connection.close();
            } catch (SQLException e) {
                // it is of no use any more
            }
        }
    }

    /** Closes idle connections; those in use are closed when they are returned. */
    @Override
    public void close() {
        closed = true;
        closeIdle();
    }
}
