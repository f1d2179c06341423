package io.sluice.operating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.neighbours.Crowd;
import io.sluice.operating.SecuredCluster.Result;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.SluiceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS, SCRAM and an authorizer: every user has the rights that {@code topics create --acls} grants, and no others. */
@Tag("server")
class SecuredClusterTest {
    private static final String AGENT = "sluice-agent";
    private static final String PUBLISHER = "sluice-publisher";
    private static final List<String> TOPICS = List.of(
            "requests", "usage", "loads", "gate-locks", "policies", "operator", "agents", "decisions", "dead-letters");

    @TempDir
    static Path folder;

    private static final Map<String, Producer<byte[], byte[]>> PRODUCERS = new HashMap<>();
    private static final Map<String, Consumer<byte[], byte[]>> CONSUMERS = new HashMap<>();

    private static SecuredCluster cluster;

    @BeforeAll
    static void topicsAndRightsMadeByAnAdministrator() throws Exception {
        cluster = SecuredCluster.start(folder);
        Result created = run("admin", "topics", "create", "--acls");
        assertThat(created.code()).as(created.out() + created.err()).isZero();
        assertThat(created.out())
                .containsPattern("granted +User:sluice-agent +READ +topic +sluice.gate-locks")
                .containsPattern("granted +User:sluice-analyzer +ALL +topic +sluice.sluice-analyzer\\*");
        long granted = created.out()
                .lines()
                .filter(line -> line.matches("granted +User:.*"))
                .count();
        try (Admin admin = Admin.create(cluster.client("admin"))) {
            // a broker answers before it has applied them
            await().until(() ->
                    admin.describeAcls(AclBindingFilter.ANY).values().get().size() >= granted);
        }
        for (String user : List.of(AGENT, PUBLISHER)) {
            Map<String, Object> client = cluster.client(user);
            CONSUMERS.put(user, new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
            client.put("max.block.ms", 120_000);
            PRODUCERS.put(user, new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer()));
        }
    }

    @AfterAll
    static void stop() {
        PRODUCERS.values().forEach(Producer::close);
        CONSUMERS.values().forEach(Consumer::close);
        cluster.close();
    }

    private static Result run(String user, String... arguments) {
        return cluster.run(user, arguments);
    }

    @Test
    void givenEachWithItsOwnRightsWhenOneCallerCrowdsThenItIsLocked() throws Exception {
        givenEachWithItsOwnRightsWhenOneCallerCrowdsThenItIsLockedAndAnOperatorCanLetItGo("at-least-once");
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = "exactly-once")
    void givenEachWithItsOwnRightsWhenOneCallerCrowdsThenItIsLockedAndAnOperatorCanLetItGo(String guarantee)
            throws Exception {
        try (Analyzer analyzer = analyzer(guarantee);
                GateAgent agent = GateAgent.builder()
                        .kafka(cluster.client(AGENT))
                        .service("orders")
                        .build()) {
            Crowd.Told told = Crowd.ask(caller -> serve(agent, guarantee + caller), Duration.ofMinutes(2));

            assertThat(told.neighboursRejected()).isZero();
            assertThat(analyzer.running()).isTrue();
            String noisy = guarantee + Crowd.NOISY;
            Result locks = run("sluice-operator", "locks", "list");
            assertThat(locks.out()).as(locks.err()).contains(noisy);
            Result released = run("sluice-operator", "locks", "release", "noisy-neighbour", noisy, "--reason", "test");
            assertThat(released.code()).as(released.err()).isZero();
            assertThat(run("sluice-operator", "topics", "verify").out()).contains("topics are as they should be");
        }
    }

    @Test
    void analyzer_withoutTheRightToWrite_refusesToStartAndNamesTheTopics() {
        assertThatThrownBy(() -> analyzer("sluice-operator", "at-least-once"))
                .hasMessageContaining("topic sluice.gate-locks: this analyzer may not write it; "
                        + "'./sluice topics create --acls' grants it")
                .hasMessageContaining("topic sluice.usage: ")
                // it may write these
                .hasMessageNotContaining("sluice.decisions")
                .hasMessageNotContaining("sluice.policies");
    }

    private static Analyzer analyzer(String guarantee) throws Exception {
        return analyzer("sluice-analyzer", guarantee);
    }

    private static Analyzer analyzer(String user, String guarantee) throws Exception {
        Path state = folder.resolve(user + guarantee);
        SluiceSettings settings = SluiceSettings.read(
                cluster.settings(user),
                Map.of("SLUICE_ANALYZER_GUARANTEE", guarantee, "SLUICE_ANALYZER_STATE_DIR", state.toString()));
        Path policies = Files.writeString(
                folder.resolve("policies.yml"),
                "policies: [{ name: noisy-neighbour, per: [caller], window: 5m, lock: { when: [{ above: 100 }], for: 10m, release: 0% } }]");
        return Analyzer.start(AnalyzerOptions.of(settings, settings.kafka().client(), PolicyFile.read(policies)));
    }

    private static boolean serve(GateAgent agent, String caller) {
        Request request = agent.request(caller).route("/orders").method("GET").build();
        try (Verdict verdict = agent.check(request)) {
            agent.log(request, verdict, verdict.allowed() ? 200 : 429, 10, 1000);
            return verdict.allowed();
        }
    }

    static Stream<Arguments> forbiddenToWrite() {
        return Stream.concat(
                TOPICS.stream()
                        .filter(topic -> !List.of("requests", "agents").contains(topic))
                        .map(topic -> Arguments.of(AGENT, topic)),
                TOPICS.stream()
                        .filter(topic -> !topic.equals("requests"))
                        .map(topic -> Arguments.of(PUBLISHER, topic)));
    }

    @ParameterizedTest
    @MethodSource("forbiddenToWrite")
    void whatIsNotItsOwnItMayNotWrite(String user, String topic) {
        Producer<byte[], byte[]> producer = PRODUCERS.get(user);
        assertThatThrownBy(() -> producer.send(new ProducerRecord<>("sluice." + topic, new byte[1]))
                        .get())
                .hasRootCauseInstanceOf(AuthorizationException.class);
    }

    static Stream<Arguments> forbiddenToRead() {
        return Stream.concat(
                TOPICS.stream()
                        .filter(topic ->
                                !List.of("gate-locks", "policies", "operator").contains(topic))
                        .map(topic -> Arguments.of(AGENT, topic)),
                TOPICS.stream().map(topic -> Arguments.of(PUBLISHER, topic)));
    }

    @ParameterizedTest
    @MethodSource("forbiddenToRead")
    void whatIsNoneOfItsBusinessItMayNotRead(String user, String topic) {
        Consumer<byte[], byte[]> consumer = CONSUMERS.get(user);
        consumer.assign(List.of(new TopicPartition("sluice." + topic, 0)));
        consumer.seekToBeginning(consumer.assignment());

        assertThatThrownBy(() -> poll(consumer))
                .isInstanceOfSatisfying(
                        TopicAuthorizationException.class,
                        refused -> assertThat(refused.unauthorizedTopics()).containsExactly("sluice." + topic));
    }

    /** The answer to a fetch may take more than one poll. */
    private static void poll(Consumer<byte[], byte[]> consumer) {
        for (int tries = 0; tries < 240; tries++) {
            consumer.poll(Duration.ofMillis(500));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {AGENT, PUBLISHER})
    void itMayNeitherMakeNorDeleteTopicsNorJoinTheAnalyzersGroupNorGrantRights(String user) throws Exception {
        try (Admin admin = Admin.create(cluster.client(user))) {
            assertThatThrownBy(() -> admin.createTopics(List.of(new NewTopic("sluice.more", 1, (short) 1)))
                            .all()
                            .get())
                    .hasRootCauseInstanceOf(AuthorizationException.class);
            assertThatThrownBy(() ->
                            admin.deleteTopics(List.of("sluice.requests")).all().get())
                    .hasRootCauseInstanceOf(AuthorizationException.class);
            assertThatThrownBy(() -> admin.describeConsumerGroups(List.of("sluice.sluice-analyzer"))
                            .all()
                            .get())
                    .hasRootCauseInstanceOf(AuthorizationException.class);
        }
        Result grant = run(user, "topics", "verify", "--acls");
        assertThat(grant.code()).isEqualTo(1);
        assertThat(grant.err()).contains("does not let this user look at or grant access rights");
    }

    @Test
    void rightsThatAreMissingAreNamed() {
        Result verified = run("admin", "topics", "verify", "--acls", "--principal", "agent=User:orders");

        assertThat(verified.code()).isEqualTo(1);
        assertThat(verified.out())
                .containsPattern("missing +User:orders +WRITE +topic +sluice.requests")
                .doesNotContain("User:sluice-agent");
        assertThat(run("admin", "topics", "verify", "--acls").code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent", "agent=orders", "servant=User:orders"})
    void aPrincipalThatIsNoneIsRefusedWithWhatIsAllowed(String principal) {
        Result refused = run("admin", "topics", "create", "--acls", "--principal", principal);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--principal: found", "allowed: ");
    }

    @Test
    void principalsForNothingAreRefused() {
        assertThat(run("admin", "topics", "create", "--principal", "agent=User:orders")
                        .err())
                .contains("only together with --acls");
    }
}
