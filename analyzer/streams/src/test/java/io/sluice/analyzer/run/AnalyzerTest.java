package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One analyzer on a real broker. */
@Tag("server")
class AnalyzerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PARTITIONS = 2;

    @TempDir
    Path directory;

    private TestFleet fleet;

    @BeforeEach
    void open() {
        fleet = new TestFleet(directory, PARTITIONS);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private static PolicySet above(int threshold) {
        return TestPolicies.yaml("""
                policies:
                  - name: noisy
                    per: [caller]
                    window: 10m
                    panes: 10
                    lock: { when: [{ above: %d }], mode: block, for: 5m }
                """.formatted(threshold));
    }

    @Test
    void whoIsOverIsLockedAndNobodyElse() throws Exception {
        fleet.start("a", above(100));
        fleet.awaitReady();
        fleet.send("neighbour", 100);
        fleet.send("noisy", 101);

        await().atMost(PATIENCE).until(() -> !fleet.locks().isEmpty());

        assertThat(fleet.locks()).hasSize(1);
        GateLock lock = fleet.locks().get(0);
        assertThat(lock.subject()).containsExactly("noisy");
        assertThat(lock.mode()).isEqualTo(Mode.BLOCK);
        assertThat(lock.evidence().sum()).isEqualTo(101);
    }

    /** By a public hash they would count as 513. */
    @Tag("full")
    @Test
    void valuesChosenToShareARegister_areCountedAsManyAsTheyAre() throws Exception {
        fleet.start("a", TestPolicies.yaml("""
                policies:
                  - name: scan
                    per: [caller]
                    measure: { distinct: labels.item }
                    window: 1m
                    panes: 4
                    lock: { when: [{ above: 1500 }], mode: block, for: 5m }
                """));
        fleet.awaitReady();
        List<String> events = new ArrayList<>();
        for (int i = 0; events.size() < 2_000; i++) {
            if (DistinctHash.UNKEYED.of("item-" + i) >>> 52 == 7) {
                events.add(TestFleet.event("scanner")
                        .replace("\"status\"", "\"labels\":{\"item\":\"item-" + i + "\"},\"status\""));
            }
        }
        TestKafka.send(fleet.topics.requests(), events);

        await().atMost(PATIENCE).until(() -> !fleet.locks().isEmpty());

        GateLock lock = fleet.locks().get(0);
        assertThat(lock.subject()).containsExactly("scanner");
    }

    @Tag("full")
    @Test
    void whoCrowdsTheOthersOutIsLockedByItsShareOfAllPartitionsTogether() throws Exception {
        fleet.start("a", TestPolicies.yaml("""
                policies:
                  - name: crowding
                    per: [caller]
                    window: 20s
                    panes: 50
                    lock: { when: [{ share: 40%, of: [], beyond: 100 }], mode: throttle, rate: 5/s, for: 5m }
                """));
        fleet.awaitReady();

        await().atMost(PATIENCE).until(() -> {
            fleet.send("noisy", 30);
            for (int i = 0; i < 10; i++) {
                fleet.send("neighbour-" + i, 2);
            }
            return !fleet.locks().isEmpty();
        });

        GateLock lock = fleet.locks().get(0);
        assertThat(lock.subject()).containsExactly("noisy");
        assertThat(lock.mode()).isEqualTo(Mode.THROTTLE);
        assertThat(lock.evidence().observed()).isBetween(0.4, 1.0);
        assertThat(lock.evidence().load()).isGreaterThan(100);
    }

    @Tag("full")
    @Test
    void everyDecideTaskWritesHeartbeatsToItsOwnPartitionAndSaysHowManyAgentsLive() throws Exception {
        fleet.start("a", above(100));
        fleet.awaitReady();
        AgentHeartbeat agent =
                new AgentHeartbeat("orders-1", "orders", Freshness.FRESH, 0, 0, 0, 0, 0, Map.of(), Map.of());
        TestKafka.send(fleet.topics.agents(), "orders-1", AgentHeartbeatJson.write(agent));

        await().atMost(PATIENCE)
                .until(() -> heartbeats().stream()
                                .filter(beat -> beat.beat().liveAgents().equals(Map.of("orders", 1)))
                                .map(Beat::partition)
                                .distinct()
                                .count()
                        == PARTITIONS);

        assertThat(heartbeats()).allMatch(beat -> beat.beat().version().task().equals("decide-" + beat.partition()));
        assertThat(heartbeats()).allMatch(beat -> beat.beat().instance().equals("a"));
    }

    private record Beat(int partition, AnalyzerHeartbeat beat) {}

    private List<Beat> heartbeats() throws Exception {
        List<Beat> beats = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : TestKafka.read(fleet.topics.gateLocks())) {
            if (record.value() != null
                    && GateLockJson.read(record.value()).orElseThrow() instanceof AnalyzerHeartbeat beat) {
                beats.add(new Beat(record.partition(), beat));
            }
        }
        return beats;
    }

    @Tag("full")
    @Test
    void aRestartedAnalyzerHasAHigherEpochAndKnowsItsWindows() throws Exception {
        fleet.stop(fleet.start("a", above(100)));
        try (Analyzer first = Analyzer.start(fleet.options("a", above(100), false))) {
            await().atMost(PATIENCE).until(() -> heartbeats().size() >= PARTITIONS);
            fleet.send("noisy", 60);
            await().atMost(PATIENCE).until(() -> first.counts().getOrDefault(Count.EVENTS, 0L) == 60);
        }
        long epoch = heartbeats().stream()
                .mapToLong(beat -> beat.beat().version().epoch())
                .max()
                .orElseThrow();

        fleet.start("a", above(100));
        fleet.awaitReady();
        fleet.send("noisy", 41);

        await().atMost(PATIENCE).until(() -> !fleet.locks().isEmpty());
        assertThat(fleet.locks().get(0).evidence().sum()).isEqualTo(101);
        assertThat(fleet.locks().get(0).version().epoch()).isGreaterThan(epoch);
    }

    @Test
    void whatCantBeReadGoesToDeadLettersAndTheGoodAroundItIsCounted() throws Exception {
        Analyzer analyzer = fleet.start("a", above(100));
        TestKafka.send(
                fleet.topics.requests(),
                List.of(TestFleet.event("a"), "x".repeat(10_000), TestFleet.event("a"), "null", TestFleet.event("a")));
        TestKafka.send(fleet.topics.usage(), "junk", new byte[] {9, 9, 9});

        await().atMost(PATIENCE)
                .until(() -> analyzer.counts().getOrDefault(Count.DEAD_LETTERS, 0L) == 3
                        && analyzer.counts().getOrDefault(Count.EVENTS, 0L) == 3);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(TestKafka.read(fleet.topics.deadLetters()))
                        .hasSize(3)
                        .allMatch(record -> record.value().length <= 4096)
                        .allMatch(record ->
                                record.headers().lastHeader("sluice.reason").value().length > 0)
                        .extracting(record -> TestKafka.text(
                                record.headers().lastHeader("sluice.topic").value()))
                        .containsExactlyInAnyOrder(
                                fleet.topics.requests(), fleet.topics.requests(), fleet.topics.usage()));
        assertThat(analyzer.counts()).containsEntry(Count.EVENTS, 3L);
        assertThat(analyzer.running()).isTrue();
    }

    @Test
    void desiredPoliciesBecomeActiveAndBadOnesChangeNothing() throws Exception {
        Analyzer analyzer = fleet.start("a", above(1_000_000));
        fleet.awaitReady();
        await().atMost(PATIENCE).until(() -> active().equals(above(1_000_000).revision()));

        TestKafka.send(fleet.topics.policies(), PolicySetJson.DESIRED, TestKafka.utf8("{\"type\":\"policies\""));
        TestKafka.send(
                fleet.topics.policies(),
                PolicySetJson.DESIRED,
                TestKafka.utf8(
                        "{\"type\":\"policies\",\"format\":1,\"policies\":[{\"name\":\"x\",\"windov\":\"1m\"}]}"));
        TestKafka.send(fleet.topics.policies(), PolicySetJson.DESIRED, PolicySetJson.writeDesired(above(100)));

        await().atMost(PATIENCE).until(() -> active().equals(above(100).revision()));
        await().atMost(PATIENCE)
                .until(() ->
                        analyzer.fleet().policies().revision().equals(above(100).revision()));
        fleet.send("noisy", 101);
        await().atMost(PATIENCE).until(() -> !fleet.locks().isEmpty());
        assertThat(TestKafka.read(fleet.topics.policies()))
                .filteredOn(record -> TestKafka.text(record.key()).equals(PolicySetJson.ACTIVE))
                .hasSize(2);
    }

    @Tag("full")
    @Test
    void theFileIsPublishedOnlyIntoAnEmptyTopic() throws Exception {
        Analyzer first = fleet.start("a", above(100));
        await().atMost(PATIENCE).until(() -> active().equals(above(100).revision()));
        first.close();

        Analyzer second = fleet.start("a", above(200));

        assertThat(second.fleet().policies().revision()).isEqualTo(above(100).revision());
        assertThat(active()).isEqualTo(above(100).revision());
    }

    private String active() throws Exception {
        Optional<ConsumerRecord<byte[], byte[]>> active = TestKafka.read(fleet.topics.policies()).stream()
                .filter(record -> TestKafka.text(record.key()).equals(PolicySetJson.ACTIVE))
                .reduce((earlier, later) -> later);
        return active.isPresent() ? PolicySetJson.read(active.get().value()).revision() : "";
    }

    @Test
    void anOperatorsReleaseOpensTheGateAndForbidsToCloseItAgain() throws Exception {
        Analyzer analyzer = fleet.start("a", above(100));
        fleet.awaitReady();
        fleet.send("noisy", 101);
        await().atMost(PATIENCE).until(() -> !fleet.locks().isEmpty());

        OperatorRecord release = new OperatorRecord.Release("noisy", List.of("noisy"), 600_000, "ann", "ours", 0);
        TestKafka.send(
                fleet.topics.operator(), CompositeKey.text(OperatorJson.key(release)), OperatorJson.write(release));
        await().atMost(PATIENCE).until(() -> latestMode() == Mode.OPEN);
        fleet.send("noisy", 200);

        await().atMost(PATIENCE).until(() -> analyzer.counts().getOrDefault(Count.FORBIDDEN, 0L) > 0);
        assertThat(latestMode()).isEqualTo(Mode.OPEN);
    }

    private Mode latestMode() {
        var locks = fleet.locks();
        return locks.get(locks.size() - 1).mode();
    }
}
