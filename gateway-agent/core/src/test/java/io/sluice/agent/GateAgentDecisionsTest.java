package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.testing.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions that an agent reads from a real broker; the test writes what analyzer and operator would. */
@Tag("server")
final class GateAgentDecisionsTest extends GateAgentFixture {
    @Test
    void anAnalyzersLockClosesTheGateAndItsReleaseOpensIt() {
        try (Cluster cluster = cluster().analyzerLives()) {
            cluster.policies(NOISY);
            try (GateAgent agent = cluster.agent().build()) {
                awaitFreshness(agent, Freshness.FRESH);
                assertThat(allows(agent, "acme")).isTrue();
                cluster.lock("noisy", "acme", Mode.BLOCK, 600_000);
                awaitAllowed(agent, "acme", false);
                assertThat(allows(agent, "bolt")).isTrue();
                cluster.lock("noisy", "acme", Mode.OPEN, 0);
                awaitAllowed(agent, "acme", true);
                assertThat(agent.status().failures()).isZero();
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(agent.status().reasons()).isEmpty());
            }
        }
    }

    @Test
    void signaturesAreRequiredAlsoWhereThePrefixIsSetLater(@TempDir Path directory) throws IOException {
        Path keys = Files.writeString(
                directory.resolve("signing.keys"), "k1: " + Base64.getEncoder().encodeToString(new byte[32]));
        try (Cluster cluster = cluster();
                GateAgent agent = cluster.agent()
                        .policies(Cluster.set(NOISY))
                        .topicPrefix("other.")
                        .signedRecords(keys, false)
                        .topicPrefix(cluster.names.prefix())
                        .build()) {
            cluster.lock("noisy", "acme", Mode.BLOCK, 600_000);
            await().atMost(PATIENCE)
                    .until(() -> agent.status().unsigned() + agent.status().locks() > 0);

            assertThat(agent.status().unsigned()).isEqualTo(1);
            assertThat(allows(agent, "acme")).isTrue();
        }
    }

    @Test
    void aLockThatStoodBeforeTheAgentStartedIsApplied() {
        try (Cluster cluster = cluster().analyzerLives()) {
            cluster.policies(NOISY);
            cluster.lock("noisy", "acme", Mode.BLOCK, 600_000);
            try (GateAgent agent = cluster.agent().build()) {
                awaitAllowed(agent, "acme", false);
                awaitFreshness(agent, Freshness.FRESH);
            }
        }
    }

    @Test
    void aLeaseEndsByItselfWhenTheAnalyzerIsDeadAndTheAgentSaysItIsStale() {
        try (Cluster cluster = cluster().analyzerLives()) {
            cluster.policies(NOISY);
            try (GateAgent agent =
                    cluster.agent().staleAfter(Duration.ofSeconds(1)).build()) {
                awaitFreshness(agent, Freshness.FRESH);
                cluster.lock("noisy", "globex", Mode.BLOCK, 600_000);
                awaitAllowed(agent, "globex", false);
                AtomicLong locked = new AtomicLong();
                // written again until it is seen, since a busy machine may take longer than a short lease
                await().atMost(PATIENCE).until(() -> {
                    if (allows(agent, "acme")) {
                        locked.set(System.nanoTime());
                        cluster.lock("noisy", "acme", Mode.BLOCK, 2000);
                    }
                    return !allows(agent, "acme");
                });
                cluster.analyzerDies();
                awaitFreshness(agent, Freshness.STALE);
                assertThat(allows(agent, "globex")).isFalse();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(agent.status().reasons())
                                .anyMatch(reason -> reason.contains("sent no heartbeat for")));
                awaitAllowed(agent, "acme", true);
                assertThat(Duration.ofNanos(System.nanoTime() - locked.get()))
                        .isGreaterThanOrEqualTo(Duration.ofMillis(1900));
                assertThat(allows(agent, "globex")).isFalse();
            }
        }
    }

    @Test
    void aLockThatEndedWhileNobodyWasThereIsNotAppliedAtStart() {
        try (Cluster cluster = cluster()) {
            cluster.policies(NOISY);
            cluster.lock("noisy", "acme", Mode.BLOCK, 1000);
            long appended = System.nanoTime();
            await().until(() -> System.nanoTime() - appended > 1_100_000_000L);
            try (GateAgent agent = cluster.agent().build()) {
                awaitFreshness(agent, Freshness.STALE);
                assertThat(allows(agent, "acme")).isTrue();
            }
        }
    }

    @Test
    void neitherTombstonesNorGarbageOpenAGateOrStopTheFeed() {
        try (Cluster cluster = cluster().analyzerLives()) {
            cluster.policies(NOISY);
            try (GateAgent agent = cluster.agent().build()) {
                awaitFreshness(agent, Freshness.FRESH);
                cluster.lock("noisy", "acme", Mode.BLOCK, 600_000);
                awaitAllowed(agent, "acme", false);
                cluster.tombstone("noisy", "acme");
                cluster.garbage(cluster.names.gateLocks());
                cluster.garbage(cluster.names.operator());
                await().atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(agent.status().malformed()).isEqualTo(2);
                    assertThat(agent.status().reasons())
                            .anyMatch(
                                    reason -> reason.startsWith("2 records of the decision topics could not be read"));
                });
                assertThat(allows(agent, "acme")).isFalse();
                cluster.lock("noisy", "bolt", Mode.BLOCK, 600_000);
                awaitAllowed(agent, "bolt", false);
            }
        }
    }

    @Tag("full")
    @Test
    void decisionTopicsThatAreDeleted_areNamedAmongTheReasons() {
        try (Cluster cluster = cluster().analyzerLives();
                GateAgent agent = cluster.agent().build()) {
            awaitFreshness(agent, Freshness.FRESH);
            List<String> topics =
                    List.of(cluster.names.gateLocks(), cluster.names.operator(), cluster.names.policies());
            cluster.analyzerDies();
            cluster.delete(topics);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(agent.reasons())
                            .anyMatch(reason -> topics.stream().allMatch(reason::contains)));
        }
    }

    @Test
    void anOperatorActsWithoutAnAnalyzer() {
        try (Cluster cluster = cluster()) {
            cluster.policies(NOISY);
            try (GateAgent agent = cluster.agent().build()) {
                awaitFreshness(agent, Freshness.STALE);
                cluster.operator(
                        new OperatorRecord.Lock("noisy", List.of("acme"), Mode.BLOCK, 0, 600_000, "ann", "test", 0));
                awaitAllowed(agent, "acme", false);
                cluster.operator(new OperatorRecord.Enforce(null, false, 0, "ann", "panic", 0));
                awaitAllowed(agent, "acme", true);
                assertThat(agent.status().enforcing()).isFalse();
                cluster.operator(new OperatorRecord.Enforce(null, true, 0, "ann", "over", 0));
                awaitAllowed(agent, "acme", false);
                cluster.operator(new OperatorRecord.Release("noisy", List.of("acme"), 600_000, "ann", "sorry", 0));
                awaitAllowed(agent, "acme", true);
            }
        }
    }

    @Test
    void policiesThatCantBeReadLeaveTheLastGoodOnesInForce() {
        try (Cluster cluster = cluster().analyzerLives()) {
            cluster.policies(NOISY);
            try (GateAgent agent = cluster.agent().build()) {
                awaitFreshness(agent, Freshness.FRESH);
                String revision = agent.status().policies();
                assertThat(revision).isNotEmpty();
                cluster.badPolicies();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(agent.status().reasons())
                                .anyMatch(reason -> reason.contains("the last good ones are kept")));
                assertThat(agent.status().policies()).isEqualTo(revision);
            }
        }
    }

    @Test
    void theAgentJoinsWhenTheBrokerComesLater() throws IOException {
        int port = FreePort.next();
        try (GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:" + port)
                .service("orders")
                .policies(LIMITED.getBytes(StandardCharsets.UTF_8))
                .build()) {
            assertThat(agent.freshness()).isEqualTo(Freshness.COLD);
            assertThat(allows(agent, "acme")).isTrue();
            assertThat(allows(agent, "acme")).as("the local file's limit").isFalse();
            try (EmbeddedKafka late = EmbeddedKafka.builder().port(port).start();
                    Cluster cluster = new Cluster(late.bootstrapServers(), "sluice.").analyzerLives()) {
                cluster.policies(NOISY);
                cluster.lock("noisy", "acme", Mode.BLOCK, 600_000);
                awaitFreshness(agent, Freshness.FRESH);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(
                                        agent.check(Request.of("acme").build()))
                                .isInstanceOfSatisfying(
                                        Verdict.Rejected.class,
                                        rejected ->
                                                assertThat(rejected.policy()).isEqualTo("noisy")));
            }
        }
    }

    @Test
    void aNameThatDoesNotResolveDelaysNobody() {
        try (GateAgent agent = GateAgent.builder()
                .bootstrap("no-such-host.invalid:9092")
                .service("orders")
                .build()) {
            assertThat(allows(agent, "acme")).isTrue();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(agent.status().reasons()).hasSizeGreaterThan(2));
            assertThat(agent.freshness()).isEqualTo(Freshness.COLD);
        }
    }

    @Test
    void anAgentIsStale_whenOneOfTwoTasksIsSilent_evenWithoutTheTopicOfItsHeartbeats() {
        try (Cluster cluster = cluster()) {
            cluster.delete(cluster.names.agents());
            try (GateAgent agent = cluster.agent().build()) {
                await().atMost(PATIENCE).until(() -> {
                    cluster.taskBeats(0);
                    return agent.freshness() != Freshness.COLD;
                });

                assertThat(agent.freshness()).isEqualTo(Freshness.STALE);
            }
        }
    }
}
