package io.sluice.quota.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/** The table and functions of quotas: {@code V1__quota.sql}, named as Flyway names migrations. */
public final class QuotaMigration {
    /** Where the script is on the class path. */
    public static final String RESOURCE = "io/sluice/quota/sql/V1__quota.sql";

    // an arbitrary number, the same in every version: "sluice" in ASCII
    private static final long LOCK = 0x736c75696365L;

    private QuotaMigration() {}

    /**
     * Returns the script.
     *
     * @return statements for PostgreSQL that can be run again
     */
    public static String script() {
        try (InputStream in = QuotaMigration.class.getClassLoader().getResourceAsStream(RESOURCE)) {
            return new String(Objects.requireNonNull(in, RESOURCE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs the script in one transaction. Clients that do it at once wait for each other.
     *
     * @param connection of a role that may create tables and functions; in auto-commit mode
     * @throws SQLException if the role may not, or the server is not PostgreSQL 14 or later
     */
    public static void apply(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL statement_timeout = 0");
            statement.execute("SET LOCAL client_min_messages = warning");
            statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
            statement.execute(script());
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
