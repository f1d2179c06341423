package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.testing.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole agent against a real broker; the test writes what analyzer and operator would. */
@Tag("server")
final class GateAgentTest {
    private static final String NOISY =
            "{\"policies\":[{\"name\":\"noisy\",\"per\":[\"caller\"],\"lock\":{\"when\":[{\"above\":10}]}}]}";
    private static final String LIMITED =
            "{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final AtomicInteger PREFIXES = new AtomicInteger();
    private static EmbeddedKafka kafka;

    @BeforeAll
    static void startBroker() {
        kafka = EmbeddedKafka.builder().start();
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    private static Cluster cluster() {
        return new Cluster(kafka.bootstrapServers(), "t" + PREFIXES.incrementAndGet() + ".");
    }

    private static boolean allows(GateAgent agent, String caller) {
        return agent.check(Request.of(caller).build()).allowed();
    }

    private static void awaitFreshness(GateAgent agent, Freshness freshness) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(agent.freshness()).as("%s", agent.status()).isEqualTo(freshness));
    }

    private static void awaitAllowed(GateAgent agent, String caller, boolean allowed) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(allows(agent, caller))
                        .as("%s", agent.status())
                        .isEqualTo(allowed));
    }

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

    private static AgentHeartbeat newestHeartbeat(Cluster cluster) {
        List<ConsumerRecord<byte[], byte[]>> records = cluster.read(cluster.names.agents(), 1);
        try {
            return AgentHeartbeatJson.read(records.get(records.size() - 1).value())
                    .orElseThrow();
        } catch (MalformedRecord e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void itsHeartbeatTellsWhatEachPolicyRejectedAndWouldHaveRejected() {
        try (Cluster cluster = cluster()) {
            cluster.policies(
                    "{\"policies\":["
                            + "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":4}},"
                            + "{\"name\":\"trial\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1,\"shadow\":true}}]}");
            try (GateAgent agent =
                    cluster.agent().heartbeat(Duration.ofMillis(100)).build()) {
                await().atMost(PATIENCE).until(() -> !agent.status().policies().isEmpty());

                for (int i = 0; i < 6; i++) {
                    agent.check(Request.of("acme").build());
                }

                await().atMost(PATIENCE).until(() -> agent.status().rejections() == 2);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(newestHeartbeat(cluster))
                                .satisfies(last -> {
                                    assertThat(last.rejectedByPolicy()).isEqualTo(Map.of("plans", 2L));
                                    assertThat(last.wouldRejectByPolicy()).isEqualTo(Map.of("trial", 3L));
                                }));
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
    void logTopic_takesTheAccessLog() {
        try (Cluster cluster = cluster()) {
            // any topic that is there
            String own = cluster.names.deadLetters();
            try (GateAgent agent = cluster.agent().logTopic(own).build()) {
                agent.log(Request.of("acme").build(), Verdict.Allowed.FREELY, 200, 1, 1);

                await().atMost(PATIENCE).until(() -> agent.status().sent() == 1);
                assertThat(cluster.read(own, 1)).hasSize(1);
            }
        }
    }

    @Test
    void logSpread_keepsACallerInFewPartitions() throws Exception {
        try (Cluster cluster = cluster()) {
            cluster.partitions(cluster.names.requests(), 12);
            try (GateAgent one = cluster.agent().logSpread(2).build();
                    GateAgent other = cluster.agent().logSpread(2).build()) {
                for (int i = 0; i < 600; i++) {
                    GateAgent agent = i % 2 == 0 ? one : other;
                    agent.log(Request.of("c" + i / 2 % 10).build(), Verdict.Allowed.FREELY, 200, 1, 1);
                }
                await().atMost(PATIENCE)
                        .until(() -> one.status().sent() + other.status().sent() == 600);
            }
            Map<String, Set<Integer>> used = new HashMap<>();
            for (ConsumerRecord<byte[], byte[]> record : cluster.readAll(cluster.names.requests())) {
                String caller = String.valueOf(
                        RequestEventReader.ours().read(record.value()).caller());
                used.computeIfAbsent(caller, any -> new HashSet<>()).add(record.partition());
            }
            assertThat(used).hasSize(10);
            assertThat(used.values())
                    .allSatisfy(partitions -> assertThat(partitions).hasSizeBetween(1, 2));
            assertThat(used.values().stream().flatMap(Set::stream).distinct().count())
                    .isGreaterThan(4);
        }
    }

    @Test
    void pseudonyms_standInTheAccessLog_andLocksUnderEitherKeyHold(@TempDir Path folder) throws Exception {
        Pseudonyms keys = Pseudonyms.read(Files.writeString(
                folder.resolve("keys"), "k2: " + "QUFB".repeat(11) + "\nk1: " + "QkJC".repeat(11) + "\n"));
        try (Cluster cluster = cluster().analyzerLives()) {
            cluster.policies(NOISY);
            cluster.lock("noisy", keys.current().caller("acme"), Mode.BLOCK, 600_000);
            cluster.lock("noisy", keys.former().caller("bolt"), Mode.BLOCK, 600_000);
            cluster.lock("noisy", "raw", Mode.BLOCK, 600_000);
            try (GateAgent agent = cluster.agent().pseudonyms(keys).build()) {
                awaitAllowed(agent, "acme", false);
                awaitAllowed(agent, "bolt", false);
                assertThat(allows(agent, "raw")).isTrue();
                assertThat(allows(agent, keys.current().caller("acme"))).isTrue();

                Request request = agent.request("acme")
                        .ip("203.0.113.9")
                        .label("plan", "gold")
                        .build();
                agent.log(request, Verdict.Allowed.FREELY, 200, 1, 1);
                RequestEvent logged = RequestEventReader.ours()
                        .read(cluster.read(cluster.names.requests(), 1).get(0).value());
                assertThat(logged.caller()).isEqualTo(keys.current().caller("acme"));
                assertThat(logged.ip()).isEqualTo(keys.current().ip("203.0.113.9"));
                assertThat(logged.labels()).containsEntry("plan", "gold");
            }
        }
    }

    @Test
    void localPolicies_withNamesThatPseudonymsHide_areRefusedBeforeAnythingStarts(@TempDir Path folder)
            throws Exception {
        Pseudonyms keys = Pseudonyms.read(Files.writeString(folder.resolve("keys"), "k1: " + "QUFB".repeat(11) + "\n"));
        GateAgentBuilder builder = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .pseudonyms(keys)
                .policies("{\"allow\":[{\"caller\":\"a*\"}],\"policies\":[]}".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allow[0].caller: found 'a*', with pseudonyms allowed are whole names");
    }

    @Test
    void build_twiceByOneBuilderWithoutAnId_agentsHaveDifferentIds() {
        GateAgentBuilder builder = GateAgent.builder().bootstrap("127.0.0.1:1").service("orders");
        try (GateAgent one = builder.build();
                GateAgent other = builder.build()) {
            assertThat(one.id()).isNotEqualTo(other.id());
        }
    }

    @Test
    void build_hostWithALongName_idIsShortEnoughForTheFleet() {
        try (GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .environment(name -> name.equals("HOSTNAME") ? "h".repeat(300) : null)
                .build()) {
            assertThat(agent.id()).hasSize(256).matches("h+-[0-9a-f]{6}");
        }
    }

    @Test
    void heartbeats_flow_whenTheAccessLogHasNoTopic() {
        try (Cluster cluster = cluster()) {
            cluster.delete(cluster.names.requests());
            try (GateAgent agent =
                    cluster.agent().heartbeat(Duration.ofMillis(100)).build()) {
                for (int i = 0; i < 1000; i++) {
                    agent.log(Request.of("c" + i).build(), Verdict.Allowed.FREELY, 200, 1, 1);
                }
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(cluster.read(cluster.names.agents(), 3))
                                .hasSizeGreaterThanOrEqualTo(3));
            }
        }
    }

    /** Twenty heartbeats while most of the access log still waits: none had to wait for it. */
    @Tag("full")
    @Test
    void heartbeats_flow_whenTheBufferOfTheAccessLogIsFull() {
        try (Cluster cluster = cluster()) {
            String id = "buffer-full";
            // once it has sent 64 KiB, its connection is muted for seconds
            cluster.quota("sluice-agent-" + id, 100);
            try (GateAgent agent = cluster.agent()
                    .id(id)
                    .heartbeat(Duration.ofMillis(100))
                    .kafka(Map.of("compression.type", "none", "buffer.memory", 64 * 1024))
                    .build()) {
                logsMuch(agent);

                assertThat(cluster.read(cluster.names.agents(), 20)).hasSizeGreaterThanOrEqualTo(20);
                assertThat(agent.status().sent() + agent.status().drops())
                        .as("most of the access log waits")
                        .isLessThan(2000);
            }
        }
    }

    private static void logsMuch(GateAgent agent) {
        for (int i = 0; i < 5000; i++) {
            Request request = Request.of("c" + i).route("/" + "r".repeat(500)).build();
            agent.log(request, Verdict.Allowed.FREELY, 200, 1, 1);
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

    @Test
    void entriesLoggedAfterClose_areCountedAsDropped() {
        GateAgent agent =
                GateAgent.builder().bootstrap("127.0.0.1:1").service("orders").build();
        agent.close();

        agent.log(Request.of("acme").build(), Verdict.Allowed.FREELY, 200, 1, 1);

        assertThat(agent.status().logged()).isEqualTo(1);
        assertThat(agent.status().drops()).isEqualTo(1);
    }

    @Test
    void clientSettingsThatCantWork_areRefusedByName() {
        assertThatThrownBy(() -> GateAgent.builder()
                        .bootstrap("127.0.0.1:1")
                        .service("orders")
                        .kafka(Map.of("delivery.timeout.ms", 10, "request.timeout.ms", 30_000))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delivery.timeout.ms");
    }

    @Test
    void theAccessLogArrivesWithManyRejectionsAsOneEntry() throws Exception {
        try (Cluster cluster = cluster()) {
            Duration took;
            try (GateAgent agent = cluster.agent().id("orders-1").build()) {
                Request request = Request.of("acme")
                        .route("/orders/{id}")
                        .method("GET")
                        .ip("203.0.113.9")
                        .label("plan", "gold")
                        .identity(Identity.NETWORK)
                        .build();
                long begun = System.nanoTime();
                agent.log(request, Verdict.Allowed.FREELY, 200, 512, 12_500);
                Verdict rejected = new Verdict.Rejected(Verdict.Reason.LOCKED, "noisy", 1000, null);
                for (int i = 0; i < 1000; i++) {
                    agent.log(request, rejected, 429, 10, 20);
                }
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(agent.status().sent()).isEqualTo(1001));
                took = Duration.ofNanos(System.nanoTime() - begun);
                assertThat(agent.status().drops()).isZero();
            }
            List<RequestEvent> events = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : cluster.readAll(cluster.names.requests())) {
                assertThat(record.key()).isNull();
                events.add(RequestEventReader.ours().read(record.value()));
            }
            assertThat(events.stream().mapToLong(RequestEvent::count).sum()).isEqualTo(1001);
            // a kind of rejection becomes an entry each 250 ms
            assertThat(events).hasSizeLessThanOrEqualTo((int) (3 + took.toMillis() / 250));
            RequestEvent passed = events.stream()
                    .filter(event -> event.outcome() == Outcome.ALLOWED)
                    .findFirst()
                    .orElseThrow();
            assertThat(passed.service()).isEqualTo("orders");
            assertThat(passed.route()).isEqualTo("/orders/{id}");
            assertThat(passed.micros()).isEqualTo(12_500);
            assertThat(passed.agent()).isEqualTo("orders-1");
            assertThat(passed.labels()).isEqualTo(Map.of("plan", "gold"));
            assertThat(passed.identity()).isEqualTo(Identity.NETWORK);
            assertThat(Math.abs(passed.time() - System.currentTimeMillis())).isLessThan(600_000);
        }
    }

    /** The newest record of each agent's key: a heartbeat, or null for a tombstone. */
    private static Map<String, Optional<byte[]>> newestByAgent(Cluster cluster) {
        Map<String, Optional<byte[]>> newest = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : cluster.readAll(cluster.names.agents())) {
            newest.put(new String(record.key(), StandardCharsets.UTF_8), Optional.ofNullable(record.value()));
        }
        return newest;
    }

    private static void awaitHeartbeat(GateAgent agent) {
        // broker time is known by the acknowledgement of a heartbeat
        await().atMost(PATIENCE).until(() -> agent.freshness() != Freshness.COLD);
    }

    @Test
    void close_removesTheAgentFromTheFleet_andOneThatFollowsUnderItsIdIsBackInIt() {
        try (Cluster cluster = cluster();
                GateAgent other = cluster.agent().id("orders-8").build()) {
            awaitHeartbeat(other);
            for (int start = 0; start < 2; start++) {
                GateAgent agent = cluster.agent().id("orders-7").build();
                awaitHeartbeat(agent);
                assertThat(newestByAgent(cluster).get("orders-7")).isPresent();

                agent.close();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(newestByAgent(cluster).get("orders-7"))
                                .isEmpty());
            }
            assertThat(newestByAgent(cluster).get("orders-8")).isPresent();
        }
    }

    @Test
    void theAgentTellsHowItIs() throws Exception {
        try (Cluster cluster = cluster();
                GateAgent agent = cluster.agent()
                        .id("orders-7")
                        .heartbeat(Duration.ofMillis(200))
                        .build()) {
            allows(agent, "acme");
            await().atMost(PATIENCE).untilAsserted(() -> {
                List<ConsumerRecord<byte[], byte[]>> beats = cluster.read(cluster.names.agents(), 1);
                AgentHeartbeat newest = AgentHeartbeatJson.read(
                                beats.get(beats.size() - 1).value())
                        .orElseThrow();
                assertThat(newest.agent()).isEqualTo("orders-7");
                assertThat(newest.service()).isEqualTo("orders");
                assertThat(newest.checks()).isEqualTo(1);
                assertThat(newest.freshness()).isEqualTo(Freshness.STALE);
            });
        }
    }

    @Test
    void everyRequestIsSentOrCountedAsDroppedWhenThereIsNoBroker() throws IOException {
        GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:" + FreePort.next())
                .service("orders")
                .logQueue(100)
                .build();
        for (int i = 0; i < 5000; i++) {
            agent.log(Request.of("c" + i).build(), Verdict.Allowed.FREELY, 200, 1, 1);
        }
        assertThat(agent.status().logged()).isEqualTo(5000);
        agent.close();
        awaitAllCounted(agent, 5000);
        assertThat(agent.status().drops()).isGreaterThanOrEqualTo(4900);
    }

    @Test
    void closingIsBoundedWhenKafkaIsDead() throws IOException {
        GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:" + FreePort.next())
                .service("orders")
                .build();
        for (int i = 0; i < 100; i++) {
            agent.log(Request.of("c" + i).build(), Verdict.Allowed.FREELY, 200, 1, 1);
        }
        agent.close();
        agent.close();
        assertThat(allows(agent, "acme")).isTrue();
    }

    @Test
    void close_whileASendBlocksForMinutes_leavesNoThreadAndCountsTheEntry() {
        List<Thread> ofOthers = publishers();
        GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .kafka(Map.of("max.block.ms", 600_000))
                .build();
        agent.log(Request.of("acme").build(), Verdict.Allowed.FREELY, 200, 1, 1);
        await().atMost(PATIENCE)
                .until(() -> publishers().stream()
                        .filter(it -> !ofOthers.contains(it))
                        .anyMatch(it -> it.getState() == Thread.State.TIMED_WAITING
                                && Stream.of(it.getStackTrace())
                                        .anyMatch(frame -> frame.getClassName().endsWith("KafkaProducer"))));

        agent.close();

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(ofOthers).containsAll(publishers());
            assertThat(agent.status().drops()).isEqualTo(1);
        });
    }

    private static List<Thread> publishers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(it -> it.getName().equals("sluice-publisher") && it.isAlive())
                .toList();
    }

    @Test
    void rejectionsThatWaitForOthersAreCountedAtOnceWhenItClosesWithoutABroker() throws IOException {
        GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:" + FreePort.next())
                .service("orders")
                .kafka(Map.of("max.block.ms", 2000))
                .build();
        Verdict rejected = new Verdict.Rejected(Verdict.Reason.LOCKED, "noisy", 1000, null);
        for (int i = 0; i < 100; i++) {
            agent.log(Request.of("c" + i).build(), rejected, 429, 1, 1);
        }
        await().atMost(PATIENCE).until(() -> agent.status().drops() > 0);
        agent.close();
        // one after the other they would take longer
        awaitAllCounted(agent, 100);
    }

    /** Closing waits a few seconds for the publisher, which on a loaded machine may end later. */
    private static void awaitAllCounted(GateAgent agent, long entries) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(agent.status().sent() + agent.status().drops())
                                .isEqualTo(entries));
    }

    @Test
    void twentyRedeploymentsLeaveNoThread() {
        try (Cluster cluster = cluster().analyzerLives()) {
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            for (int i = 0; i < 20; i++) {
                try (GateAgent agent = cluster.agent().id("redeployed").build()) {
                    allows(agent, "acme");
                    agent.log(Request.of("acme").build(), Verdict.Allowed.FREELY, 200, 1, 1);
                    if (i % 5 == 0) {
                        awaitFreshness(agent, Freshness.FRESH);
                    }
                }
            }
            // closing waits a few seconds for threads, which on a loaded machine may end later
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                                    .filter(thread -> !before.contains(thread))
                                    .map(Thread::getName)
                                    .filter(name -> name.contains("sluice") || name.contains("redeployed")))
                            .isEmpty());
        }
    }

    @Test
    void theEnvironmentCanTurnItOff() {
        try (Cluster cluster = cluster();
                GateAgent agent = cluster.agent()
                        .policies(LIMITED.getBytes(StandardCharsets.UTF_8))
                        .environment(name -> name.equals("SLUICE_AGENT_ENFORCE") ? "False" : null)
                        .build()) {
            assertThat(allows(agent, "acme")).isTrue();
            assertThat(allows(agent, "acme")).isTrue();
            assertThat(agent.status().enforcing()).isFalse();
        }
    }

    @Test
    void aWrongDescriptionIsRefusedAtOnceAndSaysWhatIsWrong() {
        assertThatThrownBy(() -> GateAgent.builder().service("orders").build()).hasMessageContaining("bootstrap");
        assertThatThrownBy(() -> GateAgent.builder().bootstrap("b:1").build()).hasMessageContaining("service");
        assertThatThrownBy(() -> GateAgent.builder()
                        .bootstrap("b:1")
                        .service("orders")
                        .gates(0)
                        .build())
                .hasMessageContaining("gates must be 1 or more, found 0");
        String tooLong = "x".repeat(257);
        assertThatThrownBy(() -> GateAgent.builder()
                        .bootstrap("b:1")
                        .service("orders")
                        .id(tooLong)
                        .build())
                .hasMessageContaining("id must have at most 256 characters, found 257");
        assertThatThrownBy(() ->
                        GateAgent.builder().bootstrap("b:1").service(tooLong).build())
                .hasMessageContaining("service must have at most 256 characters, found 257");
        assertThatThrownBy(() -> GateAgent.builder().policies("{\"policies\":[{}]}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
        assertThatThrownBy(() -> GateAgent.builder().policies(Path.of("no-such-file.json")))
                .hasMessageContaining("no-such-file.json");
    }
}
