package io.sluice.quota.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.quota.QuotaStatus.State;
import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.testing.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two agents that read a policy from the topic of a real broker and count it in one real PostgreSQL. */
@Tag("server")
class AgentsWithSqlTest {
    private static final String POLICIES = """
            {"policies":[
              {"name":"all","per":[],"measure":"cost",
               "limit":{"rate":"1/h","burst":1000,"scope":"fleet","strategy":"sql"}},
              {"name":"tokens","per":["caller"],"measure":"cost",
               "limit":{"rate":"1/h","burst":400,"scope":"fleet","strategy":"sql","under":"all"}},
              {"name":"logins","per":["caller"],"match":{"route":"/login"},
               "limit":{"algorithm":"sliding-log","rate":"5/h","scope":"fleet","strategy":"sql"}}]}""";
    private static final int MOST_ROUNDS = 10;
    private static final TopicNames NAMES = new TopicNames("sluice.");

    private static PostgresServer server;
    private static EmbeddedKafka kafka;

    @BeforeAll
    static void start() throws Exception {
        PostgresServer.needed();
        server = PostgresServer.start();
        kafka = EmbeddedKafka.builder().start();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            new TopicAdministration(admin).create(Topics.definitions(NAMES, 1, 1, 600_000));
        }
        byte[] active = PolicySetJson.writeActive(
                PolicySetReader.read(JsonNodes.read(POLICIES.getBytes(StandardCharsets.UTF_8), "policies")));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            NAMES.policies(), PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8), active))
                    .get();
        }
    }

    @AfterAll
    static void stop() {
        if (kafka != null) {
            kafka.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private static GateAgent agent() {
        return GateAgent.builder()
                .bootstrap(kafka.bootstrapServers())
                .service("gateway")
                .quotaStrategy(Database.strategy(server, "connection-timeout", "60s"))
                .quotaWait(Duration.ofSeconds(10))
                .build();
    }

    private static Verdict check(GateAgent agent, String caller, long tokens) {
        return agent.check(Request.of(caller).service("gateway").route("/chat").build(), tokens);
    }

    private static void awaitFirstPermit(GateAgent agent) {
        await("the policies of the topic and the database").until(() -> {
            check(agent, "first", 1);
            return agent.quotas().get(0).granted() > 0;
        });
    }

    /** How many requests were decided without the database: on a machine that stands still for longer than a check waits, some are. */
    private static long withoutStore(GateAgent... agents) {
        return Stream.of(agents)
                .map(agent -> agent.quotas().get(0))
                .mapToLong(status -> status.failed() + status.timedOut() + status.degraded())
                .sum();
    }

    @Test
    void agents_reserveAndSettleTokensOfOneLimit_andReportWhatSqlCannotCount() throws Exception {
        for (int round = 1; !countedByTheDatabase(); round++) {
            assertThat(round).as("rounds in which checks waited in vain").isLessThan(MOST_ROUNDS);
            Database.run(server, "DELETE FROM sluice_quota");
        }
    }

    /** Returns false where some of it was decided without the database. */
    private static boolean countedByTheDatabase() {
        try (GateAgent one = agent();
                GateAgent other = agent()) {
            // each charges its first permits alone: a long wait for the other would use up the limits
            awaitFirstPermit(one);
            awaitFirstPermit(other);
            long before = withoutStore(one, other);
            try {
                reserveAndSettle(one, other);
            } catch (AssertionError | ConditionTimeoutException e) {
                if (withoutStore(one, other) == before) {
                    throw e;
                }
            }
            return withoutStore(one, other) == before;
        }
    }

    private static void reserveAndSettle(GateAgent one, GateAgent other) {
        Verdict reserved = check(one, "acme", 300);
        assertThat(reserved.quota())
                .isEqualTo(new Quota("tokens", Quota.Unit.COST, 400, 1_440_000_000_000_000L, 100, 1_080_000));
        assertThat(check(other, "acme", 101))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class, it -> assertThat(it.reason()).isEqualTo(Verdict.Reason.LIMITED));
        reserved.settle(120);
        await("the settlement to arrive").until(() -> check(other, "acme", 280).allowed());
        assertThat(check(one, "acme", 401))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class, it -> assertThat(it.reason()).isEqualTo(Verdict.Reason.EXCEEDS_LIMIT));

        assertThat(check(other, "bolt", 400).allowed()).isTrue();
        assertThat(check(one, "cargo", 400))
                .as("less than 200 are left of the parent's")
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class, it -> assertThat(it.policy()).isEqualTo("all"));

        assertThat(one.quotas()).extracting("state").containsExactly(State.CLOSED);
        assertThat(one.reasons())
                .contains("policies name the strategy sql for sliding-log, which its store cannot apply;"
                        + " this agent applies its share");
    }
}
