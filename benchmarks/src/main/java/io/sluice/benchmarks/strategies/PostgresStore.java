package io.sluice.benchmarks.strategies;

import io.sluice.testing.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** A real PostgreSQL with its defaults, which writes each commit to the disk. */
final class PostgresStore implements MeasuredStore {
    private static final String USER = "postgres";

    private final PostgresServer server;

    private PostgresStore(PostgresServer server) throws SQLException {
        this.server = server;
        run("CREATE EXTENSION pg_stat_statements");
        // as Bucket4j's documentation creates it
        run("CREATE TABLE bucket (id VARCHAR PRIMARY KEY, state BYTEA, expires_at BIGINT)");
    }

    static PostgresStore start() throws SQLException {
        return new PostgresStore(PostgresServer.start("shared_preload_libraries=pg_stat_statements"));
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "url",
                url(),
                "user",
                USER,
                "password-file",
                server.passwordFile().toString(),
                "migrate",
                "true",
                "connections",
                Integer.toString(connections()));
    }

    /** Returns how many connections a client of it may have. */
    static int connections() {
        return 8;
    }

    String url() {
        return server.url();
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(), USER, PostgresServer.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public PostgresServer server() {
        return server;
    }

    @Override
    public long calls() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(), USER, PostgresServer.PASSWORD);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT coalesce(sum(calls), 0) FROM pg_stat_statements")) {
            row.next();
            return row.getLong(1);
        }
    }
}
