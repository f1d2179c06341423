package io.sluice.quota.sql;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.testing.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Strategies, limits and rows of one server. */
final class Database {
    static final long SECOND = 1_000_000_000;

    private Database() {}

    static Map<String, String> settings(PostgresServer server, String... more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "url",
                server.url(),
                "user",
                "postgres",
                "password-file",
                server.passwordFile().toString(),
                "migrate",
                "true",
                // the longest: tests of lateness have their own
                "connection-timeout",
                "60s",
                "statement-timeout",
                "60s"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    static QuotaStrategy strategy(PostgresServer server, String... more) {
        return new SqlQuotaProvider().create(settings(server, more));
    }

    static QuotaLimit bucket(String policy, double perHour, long burst) {
        return new QuotaLimit(policy, "", Algorithm.TOKEN_BUCKET, perHour, 3_600_000, burst);
    }

    static QuotaLimit window(String policy, long permits, long millis) {
        return new QuotaLimit(policy, "", Algorithm.FIXED_WINDOW, permits, millis, permits);
    }

    static QuotaCharge charge(QuotaLimit limit, String subject, long permits) {
        return new QuotaCharge(limit, subject, subject, permits);
    }

    static QuotaAnswer acquire(QuotaStrategy strategy, QuotaCharge... charges) throws Exception {
        return strategy.acquire(List.of(charges)).toCompletableFuture().get(2, TimeUnit.MINUTES);
    }

    static void adjust(QuotaStrategy strategy, QuotaCharge... charges) throws Exception {
        strategy.adjust(List.of(charges)).toCompletableFuture().get(2, TimeUnit.MINUTES);
    }

    static Connection connect(PostgresServer server) throws SQLException {
        return DriverManager.getConnection(server.url(), "postgres", PostgresServer.PASSWORD);
    }

    static long number(PostgresServer server, String query) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    static void run(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
