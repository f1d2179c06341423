package io.sluice.quota.sql;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** Calls the functions of {@code V1__quota.sql}, each in a transaction of one statement. */
final class TokenStatements {
    private static final String REQUEST =
            "SELECT granted, charge, remaining, retry_after FROM request_token(?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String SWEEP = "SELECT sweep_quota(?, make_interval(secs => ?))";

    private TokenStatements() {}

    /** Takes all permits or none; with {@code forced} all, whatever the limits. */
    static QuotaAnswer request(Connection connection, List<QuotaCharge> charges, boolean forced) throws SQLException {
        List<StoredCharge> stored = charges.stream().map(StoredCharge::of).toList();
        try (PreparedStatement statement = connection.prepareStatement(REQUEST)) {
            texts(statement, 1, stored, StoredCharge::policy);
            texts(statement, 2, stored, StoredCharge::slot);
            texts(statement, 3, stored, StoredCharge::algorithm);
            texts(statement, 4, stored, StoredCharge::subject);
            numbers(statement, 5, stored, StoredCharge::span);
            numbers(statement, 6, stored, StoredCharge::burst);
            numbers(statement, 7, stored, StoredCharge::permits);
            statement.setBoolean(8, forced);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                int charge = row.getInt(2);
                long remaining = row.getLong(3);
                if (row.getBoolean(1)) {
                    return QuotaAnswer.granted(charge, remaining);
                }
                long wait = row.getLong(4);
                return QuotaAnswer.refused(charge, remaining, row.wasNull() ? QuotaAnswer.NEVER : wait);
            }
        }
    }

    /**
     * Deletes rows that equal missing ones, if no other client has done so lately.
     *
     * @param blocks of the table to read at most
     * @param pauseSeconds since the fleet's last sweep
     * @return the number of rows, or -1 when this client had nothing to do
     */
    static int sweep(Connection connection, int blocks, double pauseSeconds) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SWEEP)) {
            statement.setInt(1, blocks);
            statement.setDouble(2, pauseSeconds);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                int deleted = row.getInt(1);
                return row.wasNull() ? -1 : deleted;
            }
        }
    }

    private static void texts(
            PreparedStatement statement, int at, List<StoredCharge> charges, Function<StoredCharge, String> value)
            throws SQLException {
        Object[] values = charges.stream().map(value).toArray();
        statement.setArray(at, statement.getConnection().createArrayOf("text", values));
    }

    private static void numbers(
            PreparedStatement statement, int at, List<StoredCharge> charges, Function<StoredCharge, Long> value)
            throws SQLException {
        Object[] values = charges.stream().map(value).toArray();
        statement.setArray(at, statement.getConnection().createArrayOf("bigint", values));
    }
}
