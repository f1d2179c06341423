package io.sluice.quota.sql;

import static io.sluice.quota.sql.Database.acquire;
import static io.sluice.quota.sql.Database.bucket;
import static io.sluice.quota.sql.Database.charge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.testing.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is killed, frozen and back. */
@Tag("server")
@Tag("full")
class SqlFaultsTest {
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        PostgresServer.needed();
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @AfterEach
    void thaw() {
        server.thaw();
    }

    @Test
    void killedServer_keepsWhatWasTaken_andGivesNoSecondBurst() throws Exception {
        QuotaLimit limit = bucket("killed", 1, 10);
        try (QuotaStrategy sql = Database.strategy(server)) {
            assertThat(acquire(sql, charge(limit, "[]", 7))).isEqualTo(QuotaAnswer.granted(0, 3));
            server.kill();
            assertThatThrownBy(() -> acquire(sql, charge(limit, "[]", 1)))
                    .hasMessageContaining("jdbc:postgresql://127.0.0.1:" + server.port());

            server.restart();

            QuotaAnswer back = answered(sql, limit, 4);
            assertThat(back.granted()).isFalse();
            assertThat(back.remaining()).isEqualTo(3);
        }
    }

    @Test
    void frozenServer_failsRequestsInTime_andTakesNothingForThoseThatWaited() throws Exception {
        QuotaLimit limit = bucket("frozen", 1, 10);
        QuotaLimit warming = bucket("warming", 1, 1_000);
        try (QuotaStrategy patient = Database.strategy(server);
                QuotaStrategy sql = Database.strategy(
                        server, "statement-timeout", "200ms", "connection-timeout", "250ms", "connections", "2")) {
            acquire(patient, charge(limit, "[]", 1));
            // on a loaded machine the client is out of patience now and then with a server that is well
            answered(sql, warming, 1);
            server.freeze();
            List<CompletableFuture<QuotaAnswer>> waiting = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                waiting.add(sql.acquire(List.of(charge(limit, "[]", 1))).toCompletableFuture());
            }
            assertThat(waiting)
                    .allSatisfy(answer -> assertThatThrownBy(answer::join).hasMessageContaining("jdbc:postgresql"));

            server.thaw();

            // two were with the server when it froze, or with its next processes; all others never left the client
            assertThat(answered(patient, limit, 10).remaining()).isBetween(5L, 9L);
        }
    }

    @Test
    void absentServer_isUsedOnceItIsThere() throws Exception {
        QuotaLimit limit = bucket("absent", 1, 10);
        server.kill();
        try (QuotaStrategy sql = Database.strategy(server)) {
            assertThatThrownBy(() -> acquire(sql, charge(limit, "[]", 1))).hasMessageContaining("jdbc:postgresql");
            server.restart();

            assertThat(answered(sql, limit, 1)).isEqualTo(QuotaAnswer.granted(0, 9));
        }
    }

    @Test
    void moreRequestsThanTheQueueHolds_failAtOnce() throws Exception {
        QuotaLimit limit = bucket("queued", 1, 10);
        try (QuotaStrategy sql = Database.strategy(server, "queue", "3", "connections", "1")) {
            acquire(sql, charge(limit, "[]", 1));
            server.freeze();
            List<CompletableFuture<QuotaAnswer>> waiting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                waiting.add(sql.acquire(List.of(charge(limit, "[]", 1))).toCompletableFuture());
            }

            assertThat(waiting.stream().filter(CompletableFuture::isDone).count())
                    .isGreaterThanOrEqualTo(16);
            assertThatThrownBy(waiting.get(19)::join)
                    .hasMessageContaining("3 requests wait for a connection already (agent.quota.sql.queue)");
            server.thaw();
        }
    }

    private static QuotaAnswer answered(QuotaStrategy sql, QuotaLimit limit, long permits) {
        List<QuotaAnswer> answers = new ArrayList<>();
        Awaitility.await("an answer").ignoreExceptions().until(() -> {
            answers.add(acquire(sql, charge(limit, "[]", permits)));
            return true;
        });
        return answers.get(0);
    }
}
