package io.sluice.quota.sql;

import static io.sluice.quota.sql.Database.acquire;
import static io.sluice.quota.sql.Database.adjust;
import static io.sluice.quota.sql.Database.bucket;
import static io.sluice.quota.sql.Database.charge;
import static io.sluice.quota.sql.Database.number;
import static io.sluice.quota.sql.Database.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.testing.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a real PostgreSQL, with hours between permits, so that none returns meanwhile. */
@Tag("server")
class SqlQuotaTest {
    private static final long HOUR = 3_600 * Database.SECOND;

    private static PostgresServer server;
    private static QuotaStrategy sql;

    @BeforeAll
    static void start() {
        PostgresServer.needed();
        server = PostgresServer.start();
        sql = Database.strategy(server);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            sql.close();
            server.close();
        }
    }

    @Test
    void bucket_givesItsBurst_thenTellsTheWait() throws Exception {
        QuotaLimit limit = bucket("bucket", 1, 3);

        assertThat(acquire(sql, charge(limit, "[\"a\"]", 2))).isEqualTo(QuotaAnswer.granted(0, 1));
        QuotaAnswer refused = acquire(sql, charge(limit, "[\"a\"]", 2));
        QuotaAnswer never = acquire(sql, charge(limit, "[\"a\"]", 4));
        QuotaAnswer neighbour = acquire(sql, charge(limit, "[\"b\"]", 3));

        assertThat(refused.granted()).isFalse();
        assertThat(refused.remaining()).isEqualTo(1);
        assertThat(refused.retryAfterNanos()).isBetween(HOUR / 2, HOUR);
        assertThat(never).isEqualTo(QuotaAnswer.refused(0, 1, QuotaAnswer.NEVER));
        assertThat(neighbour).isEqualTo(QuotaAnswer.granted(0, 0));
        assertThat(acquire(sql, charge(limit, "[\"a\"]", 1))).isEqualTo(QuotaAnswer.granted(0, 0));
    }

    @Test
    void bucket_waitedFor_grants() throws Exception {
        QuotaLimit limit = new QuotaLimit("refilled", "", Algorithm.TOKEN_BUCKET, 10, 1_000, 1);
        long full = micros();
        for (int granted = 0; granted < 7; ) {
            QuotaAnswer answer = acquire(sql, charge(limit, "[]", 1));
            if (answer.granted()) {
                granted++;
            } else {
                assertThat(answer.retryAfterNanos()).isBetween(1L, 100_000_000L);
            }
        }
        assertThat(micros() - full)
                .as("µs for the burst of one and six permits of ten per second")
                .isGreaterThan(500_000);
    }

    private static long micros() throws Exception {
        return number(server, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
    }

    @Test
    void limitOfZero_admitsNothing() throws Exception {
        assertThat(acquire(sql, charge(bucket("zero", 0, 1), "[]", 1)))
                .isEqualTo(QuotaAnswer.refused(0, 0, QuotaAnswer.NEVER));
        assertThat(acquire(sql, charge(window("zero", 0, 1_000), "[]", 1)))
                .isEqualTo(QuotaAnswer.refused(0, 0, QuotaAnswer.NEVER));
    }

    @Test
    void window_givesItsPermits_untilItEnds() throws Exception {
        // a day: the test may meet its end only at midnight, UTC
        QuotaLimit limit = window("window", 5, 86_400_000);

        assertThat(acquire(sql, charge(limit, "[]", 3))).isEqualTo(QuotaAnswer.granted(0, 2));
        QuotaAnswer refused = acquire(sql, charge(limit, "[]", 3));
        long day = 86_400 * Database.SECOND;
        long end = number(server, "SELECT (86400 - extract(epoch FROM clock_timestamp())::numeric % 86400)::bigint");

        assertThat(refused.granted()).isFalse();
        assertThat(refused.remaining()).isEqualTo(2);
        assertThat(refused.retryAfterNanos()).isBetween(1L, day);
        assertThat(refused.retryAfterNanos() / Database.SECOND).isBetween(end - 1, end + 60);
    }

    @Test
    void window_over_givesAllAgain() throws Exception {
        QuotaLimit limit = window("short", 2, 100);
        int granted = 0;
        long from = number(server, "SELECT (extract(epoch FROM clock_timestamp()) * 10)::bigint");
        while (granted < 10) {
            granted += acquire(sql, charge(limit, "[]", 1)).granted() ? 1 : 0;
        }
        long windows = number(server, "SELECT (extract(epoch FROM clock_timestamp()) * 10)::bigint") - from + 1;
        assertThat(windows).as("windows of 100 ms for five times two permits").isGreaterThanOrEqualTo(4);
    }

    /** As if a clock ahead by an hour had written the row. */
    @Test
    void window_afterAClockWasSetBack_countsInTheNewTime() throws Exception {
        QuotaLimit limit = window("window-set-back", 2, 1_000);
        acquire(sql, charge(limit, "[]", 1));
        Database.run(
                server,
                "UPDATE sluice_quota SET used = 2, idle_at = idle_at + %d WHERE policy = 'window-set-back'"
                        .formatted(HOUR));

        QuotaAnswer refused = acquire(sql, charge(limit, "[]", 1));

        assertThat(refused.granted()).isFalse();
        assertThat(refused.retryAfterNanos()).isBetween(1L, Database.SECOND);
        Awaitility.await("the end of the window")
                .until(() -> acquire(sql, charge(limit, "[]", 1)).granted());
    }

    /** As if a clock ahead by an hour had written the row: when it is full is all that the row has. */
    @Test
    void bucket_afterAClockWasSetBack_tellsTheWaitWithTheStep() throws Exception {
        QuotaLimit limit = bucket("bucket-set-back", 60, 1);
        acquire(sql, charge(limit, "[]", 1));
        Database.run(
                server,
                "UPDATE sluice_quota SET idle_at = idle_at + %d WHERE policy = 'bucket-set-back'".formatted(HOUR));

        assertThat(acquire(sql, charge(limit, "[]", 1)).retryAfterNanos()).isBetween(HOUR / 2, HOUR + HOUR / 60);
    }

    @Test
    void severalCharges_takeAllOrNone() throws Exception {
        QuotaCharge everything = charge(bucket("everything", 1, 10), "[]", 1);
        QuotaCharge tenant = charge(bucket("tenant", 1, 2), "[\"t\"]", 1);

        assertThat(acquire(sql, everything, tenant)).isEqualTo(QuotaAnswer.granted(1, 1));
        assertThat(acquire(sql, tenant, everything)).isEqualTo(QuotaAnswer.granted(0, 0));
        QuotaAnswer third = acquire(sql, everything, tenant);
        QuotaAnswer alone = acquire(sql, everything);

        assertThat(third.granted()).isFalse();
        assertThat(third.charge()).isEqualTo(1);
        assertThat(alone).isEqualTo(QuotaAnswer.granted(0, 7));
    }

    @Test
    void severalRefusals_tellTheLongestWait() throws Exception {
        QuotaCharge soon = charge(bucket("soon", 60, 1), "[]", 1);
        QuotaCharge late = charge(bucket("late", 1, 1), "[]", 1);
        acquire(sql, soon, late);

        QuotaAnswer refused = acquire(sql, soon, late);

        assertThat(refused.charge()).isEqualTo(1);
        assertThat(refused.retryAfterNanos()).isBetween(HOUR / 2, HOUR);
    }

    @Test
    void twoClients_raceForTheLastTokens_neverTakeMore() throws Exception {
        QuotaLimit limit = bucket("race", 1, 100);
        AtomicLong granted = new AtomicLong();
        try (QuotaStrategy other = Database.strategy(server)) {
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                QuotaStrategy client = i % 2 == 0 ? sql : other;
                all.add(client.acquire(List.of(charge(limit, "[]", 1)))
                        .toCompletableFuture()
                        .thenAccept(answer -> granted.addAndGet(answer.granted() ? 1 : 0)));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        }
        assertThat(granted.get()).isEqualTo(100);
    }

    @Test
    void chargesInOppositeOrders_doNotDeadlock() {
        QuotaCharge a = charge(bucket("order-a", 1, 1_000), "[]", 1);
        QuotaCharge b = charge(bucket("order-b", 1, 1_000), "[]", 1);
        List<CompletableFuture<QuotaAnswer>> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            all.add(sql.acquire(i % 2 == 0 ? List.of(a, b) : List.of(b, a)).toCompletableFuture());
        }
        assertThat(all).allSatisfy(answer -> assertThat(answer.join().granted()).isTrue());
    }

    @Test
    void corrections_chargeBeyondTheLimit_andReturn() throws Exception {
        QuotaLimit limit = bucket("settled", 1, 10);
        acquire(sql, charge(limit, "[]", 4));
        adjust(sql, charge(limit, "[]", 8));
        QuotaAnswer inDebt = acquire(sql, charge(limit, "[]", 1));
        adjust(sql, charge(limit, "[]", -5));
        QuotaAnswer paid = acquire(sql, charge(limit, "[]", 1));
        adjust(sql, charge(limit, "[]", -1_000));

        assertThat(inDebt.remaining()).isZero();
        assertThat(inDebt.retryAfterNanos()).isBetween(5 * HOUR / 2, 3 * HOUR);
        assertThat(paid).isEqualTo(QuotaAnswer.granted(0, 2));
        assertThat(acquire(sql, charge(limit, "[]", 10))).isEqualTo(QuotaAnswer.granted(0, 0));
    }

    @Test
    void correctionsOfWindows_chargeBeyondTheLimit_andReturn() throws Exception {
        QuotaLimit limit = window("settled-window", 10, 86_400_000);
        acquire(sql, charge(limit, "[]", 4));
        adjust(sql, charge(limit, "[]", 8));
        QuotaAnswer over = acquire(sql, charge(limit, "[]", 1));
        adjust(sql, charge(limit, "[]", -1_000));

        assertThat(over.granted()).isFalse();
        assertThat(acquire(sql, charge(limit, "[]", 10))).isEqualTo(QuotaAnswer.granted(0, 0));
    }

    @Test
    void absurdCorrection_isADayOfDebtAtMost() throws Exception {
        QuotaLimit limit = bucket("absurd", 3_600, 10);
        adjust(sql, charge(limit, "[]", Long.MAX_VALUE));

        QuotaAnswer refused = acquire(sql, charge(limit, "[]", 1));

        assertThat(refused.retryAfterNanos()).isBetween(23 * HOUR, 24 * HOUR + 2 * Database.SECOND);
    }

    /** One charge of a bucket is granted by a statement of its own, together with another one by the general case. */
    @Test
    void bucketAlone_andTogether_givesTheSameAnswers() throws Exception {
        for (long permits : new long[] {1, 4, 6, 7, 10, 11}) {
            for (QuotaLimit limit : List.of(
                    bucket("alone-" + permits, 1, 10),
                    new QuotaLimit("large-" + permits, "", Algorithm.TOKEN_BUCKET, 1, 86_400_000, 10_000_000_000L))) {
                QuotaCharge other = charge(window("beside", 1_000_000, 86_400_000), "[]", 1);
                for (int i = 0; i < 3; i++) {
                    QuotaAnswer alone = acquire(sql, charge(limit, "[\"alone\"]", permits));
                    QuotaAnswer together = acquire(sql, charge(limit, "[\"together\"]", permits), other);
                    if (together.charge() == 0) {
                        assertThat(alone.remaining()).as("%s", limit).isEqualTo(together.remaining());
                    }
                    assertThat(alone.granted()).as("%s", limit).isEqualTo(together.granted());
                    assertThat(alone.retryAfterNanos() == QuotaAnswer.NEVER)
                            .isEqualTo(together.retryAfterNanos() == QuotaAnswer.NEVER);
                    assertThat(together.retryAfterNanos() - alone.retryAfterNanos())
                            .as("%s: the wait of the bucket that was asked later", limit)
                            .isBetween(alone.granted() ? 0 : -HOUR / 10, HOUR / 10);
                }
            }
        }
    }

    @Test
    void subjectsOfAnyTextAndLength_areDistinct() throws Exception {
        QuotaLimit limit = bucket("texts", 1, 1);
        String deep = "x".repeat(100_000);
        for (String subject : List.of(deep, deep + "y", "a\0b", "a\0c", "ä", "'; DROP TABLE sluice_quota; --", "")) {
            assertThat(acquire(sql, charge(limit, subject, 1)).granted()).isTrue();
            assertThat(acquire(sql, charge(limit, subject, 1)).granted()).isFalse();
        }
    }

    @Test
    void missingMigration_isNamed() throws Exception {
        Database.run(server, "CREATE DATABASE empty");
        try (QuotaStrategy unprepared =
                Database.strategy(server, "url", server.url().replace("/postgres", "/empty"), "migrate", "false")) {
            assertThatThrownBy(() -> acquire(unprepared, charge(bucket("p", 1, 1), "[]", 1)))
                    .hasMessageContaining(
                            "the migration V1__quota.sql is missing; apply it, or set agent.quota.sql.migrate");
        }
    }

    @Test
    void restrictedRole_needsTheGrantsOfTheMigrationOnly() throws Exception {
        acquire(sql, charge(bucket("granted", 1, 2), "[]", 1));
        Database.run(server, "CREATE ROLE agents LOGIN PASSWORD '" + PostgresServer.PASSWORD + "'");
        for (String line : QuotaMigration.script().lines().toList()) {
            if (line.startsWith("--   GRANT")) {
                Database.run(server, line.substring(5));
            }
        }
        try (QuotaStrategy agents = Database.strategy(server, "user", "agents", "migrate", "false")) {
            assertThat(acquire(agents, charge(bucket("granted", 1, 2), "[]", 1)))
                    .isEqualTo(QuotaAnswer.granted(0, 0));
        }
        assertThat(number(server, "SELECT count(*) FROM sluice_quota WHERE policy = 'granted'"))
                .isEqualTo(1);
    }

    @Test
    void migration_runByManyAtOnce_isDoneOnce() throws Exception {
        Database.run(server, "CREATE DATABASE fresh");
        String url = server.url().replace("/postgres", "/fresh");
        List<QuotaStrategy> clients = new ArrayList<>();
        List<CompletableFuture<QuotaAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            QuotaStrategy client = Database.strategy(server, "url", url);
            clients.add(client);
            answers.add(
                    client.acquire(List.of(charge(bucket("p", 1, 6), "[]", 1))).toCompletableFuture());
        }
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().granted()).isTrue());
        clients.forEach(QuotaStrategy::close);
    }
}
