package io.sluice.quota.sql;

import static io.sluice.quota.sql.Database.acquire;
import static io.sluice.quota.sql.Database.bucket;
import static io.sluice.quota.sql.Database.charge;
import static io.sluice.quota.sql.Database.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.testing.PostgresServer;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class QuotaSweepTest {
    private static final String IDLE_ROWS = """
            INSERT INTO sluice_quota
            SELECT 'flood', '', 'token-bucket', '["caller-' || n || '"]', 1000000, 1, 0 FROM generate_series(1, %d) AS n
            """;

    private static PostgresServer server;

    @BeforeAll
    static void start() throws Exception {
        PostgresServer.needed();
        server = PostgresServer.start();
        try (Connection connection = Database.connect(server)) {
            QuotaMigration.apply(connection);
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void empty() throws Exception {
        Database.run(
                server, "TRUNCATE sluice_quota; UPDATE sluice_quota_sweep SET next_block = 0, swept_at = '-infinity'");
    }

    private static int sweep(int blocks, double pause) throws Exception {
        try (Connection connection = Database.connect(server)) {
            return TokenStatements.sweep(connection, blocks, pause);
        }
    }

    @Test
    void sweep_readsSoManyBlocks_andGoesOnThere() throws Exception {
        Database.run(server, IDLE_ROWS.formatted(10_000));
        long blocks = number(server, "SELECT pg_relation_size('sluice_quota') / 8192");
        assertThat(blocks).isGreaterThan(50);

        int first = sweep(20, 0);
        assertThat(first).isBetween(1, 10_000 / 2);
        assertThat(number(server, "SELECT next_block FROM sluice_quota_sweep")).isEqualTo(20);
        int calls = 1;
        for (long left = 10_000L - first; left > 0; calls++) {
            left -= sweep(20, 0);
        }

        assertThat(number(server, "SELECT count(*) FROM sluice_quota")).isZero();
        assertThat((long) calls).isEqualTo((blocks + 19) / 20);
        assertThat(number(server, "SELECT next_block FROM sluice_quota_sweep")).isZero();
    }

    @Test
    void sweep_leavesQuotasInUse() throws Exception {
        QuotaLimit used = bucket("used", 1, 2);
        try (QuotaStrategy sql = Database.strategy(server)) {
            acquire(sql, charge(used, "[]", 1));
        }
        Database.run(server, IDLE_ROWS.formatted(10));

        assertThat(sweep(100, 0)).isEqualTo(10);

        try (QuotaStrategy sql = Database.strategy(server)) {
            assertThat(acquire(sql, charge(used, "[]", 2)).granted()).isFalse();
        }
    }

    @Test
    void sweep_twiceWithinThePause_oneDoesNothing() throws Exception {
        assertThat(sweep(100, 3_600)).isZero();
        assertThat(sweep(100, 3_600)).isEqualTo(-1);
        assertThat(sweep(100, 0)).isZero();
    }

    @Test
    void sweep_whileAnotherIsAtIt_doesNotWait() throws Exception {
        try (Connection other = Database.connect(server);
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT sweep_quota(10, '0 s')");

            assertThat(sweep(100, 0)).isEqualTo(-1);
        }
    }

    @Test
    void sweep_passesRowsThatARequestHolds() throws Exception {
        Database.run(server, IDLE_ROWS.formatted(2));
        try (Connection other = Database.connect(server);
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT * FROM sluice_quota WHERE subject = '[\"caller-1\"]' FOR UPDATE");

            assertThat(sweep(100, 0)).isEqualTo(1);
        }
    }

    /** At a millisecond each, ten times as many as a statement may take by default. */
    @Test
    @Tag("full")
    void moreRowsThanAStatementRemoves_areRemovedInParts() throws Exception {
        Database.run(server, IDLE_ROWS.formatted(10_000));
        Database.run(server, """
                CREATE OR REPLACE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN PERFORM pg_sleep(0.001); RETURN OLD; END';
                CREATE TRIGGER linger BEFORE DELETE ON sluice_quota FOR EACH ROW EXECUTE FUNCTION linger();
                """);
        try (QuotaStrategy sql = Database.strategy(server, "statement-timeout", "1s")) {
            assertThat(sql.name()).isEqualTo("sql");
            Awaitility.await("rows to be removed")
                    .atMost(2, TimeUnit.MINUTES)
                    .until(() -> number(server, "SELECT count(*) FROM sluice_quota") < 10_000);
        } finally {
            Database.run(server, "DROP TRIGGER linger ON sluice_quota");
        }
    }

    /** Beyond the number that a pass can hold: the clients remove them by themselves. */
    @Test
    @Tag("full")
    void aMillionSubjects_areRemovedByTheClients() throws Exception {
        Database.run(server, IDLE_ROWS.formatted(1_000_000));
        try (QuotaStrategy first = Database.strategy(server);
                QuotaStrategy second = Database.strategy(server)) {
            assertThat(first.name()).isEqualTo(second.name());
            Awaitility.await("the table to be empty")
                    .until(() ->
                            number(server, "SELECT count(*) FROM (SELECT 1 FROM sluice_quota LIMIT 1) AS rest") == 0);
        }
    }
}
