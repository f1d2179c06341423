package io.sluice.operating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.analyzer.api.Api;
import io.sluice.analyzer.api.ServedAnalyzer;
import io.sluice.analyzer.cli.SluiceCommand;
import io.sluice.analyzer.notify.Holding;
import io.sluice.analyzer.notify.Notifier;
import io.sluice.analyzer.run.StoredSubject;
import io.sluice.analyzer.run.TaskQueries;
import io.sluice.analyzer.top.ClaimedShare;
import io.sluice.analyzer.top.Top;
import io.sluice.analyzer.window.Panes;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.Identity;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.WebhookSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent, the HTTP API, the command line and a webhook read the same topics, and say the same of each lock. */
@Tag("server")
class OneAnswerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final TopicNames TOPICS = new TopicNames("sluice.");
    private static final long MINUTE = 60_000;
    private static final long MAX_LEASE = 10 * MINUTE;
    private static final long EPOCH = 5;

    private final EmbeddedKafka broker = EmbeddedKafka.builder().start();
    private final Map<String, Object> client = Map.of("bootstrap.servers", broker.bootstrapServers());
    private final KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
    private final List<String> announced = new CopyOnWriteArrayList<>();
    private final HttpServer server = server();
    private long seq;

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        server.stop(0);
        producer.close();
        broker.close();
    }

    @Test
    void agentApiCommandLineAndWebhook_sayTheSameOfEachLock() throws Exception {
        createTopics();
        policies("policies: [{ name: p, per: [caller], window: 1m, lock: { when: [{ above: 10 }], mode: block } }]");
        URI hook = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook");
        try (GateAgent agent = GateAgent.builder()
                        .bootstrap(broker.bootstrapServers())
                        .service("orders")
                        .build();
                Api api = Api.open(
                        new HttpSettings("127.0.0.1", 8480),
                        client,
                        TOPICS,
                        new ServedAnalyzer("one", MAX_LEASE, () -> true, Map::of, new NoTasks()));
                HttpEndpoint pages = HttpEndpoint.open("127.0.0.1", 0, HttpEndpoint.Bounds.of(100), "test-api", api);
                Notifier notifier = Notifier.start(
                        new WebhookSettings(hook, null, Set.of("open")),
                        null,
                        client,
                        "test",
                        TOPICS.gateLocks(),
                        new Holding(MAX_LEASE, System::currentTimeMillis))) {
            await().atMost(PATIENCE).until(this::notifierReads);
            long now = System.currentTimeMillis();

            write(new AnalyzerHeartbeat(version(EPOCH), "one", now, Map.of("orders", 1)), now);
            // an hour's lock whose analyzer died after it had opened it
            write(lock("lease-over", EPOCH, now - 50 * MINUTE), now - 50 * MINUTE);
            write(lock("zombie", EPOCH - 1, now), now);
            GateLock foreign = lock("foreign-key", EPOCH, now);
            write(CompositeKey.bytes(GateKeys.key("p", List.of("somebody"))), GateLockJson.write(foreign), now);
            write(lock("held", EPOCH, now), now);

            await().atMost(PATIENCE).until(() -> agent.freshness() != Freshness.COLD && locked(agent, "held"));
            await().atMost(PATIENCE).until(() -> get(pages, "/api/v1/locks").contains("\"held\""));
            await().atMost(PATIENCE).until(() -> announced.toString().contains("\"held\""));
            String list = sluice("locks", "list", "--json");
            String why = sluice("locks", "why", "p", "held");

            assertThat(why).contains("p held is locked by the analyzer");
            assertThat(list).contains("\"held\"");
            for (String caller : List.of("lease-over", "zombie", "foreign-key", "somebody")) {
                assertThat(locked(agent, caller)).as("agent: %s", caller).isFalse();
                assertThat(list).as("locks list: %s", caller).doesNotContain("\"" + caller + "\"");
                assertThat(sluice("locks", "why", "p", caller))
                        .as("locks why: %s", caller)
                        .contains("p " + caller + " is not locked");
                assertThat(get(pages, "/api/v1/locks")).as("API: %s", caller).doesNotContain("\"" + caller + "\"");
                assertThat(announced.toString()).as("webhook: %s", caller).doesNotContain("\"" + caller + "\"");
            }
            assertThat(notifier.over()).isEqualTo(1);
        }
    }

    private void createTopics() throws Exception {
        try (Admin admin = Admin.create(client)) {
            // with times of the writer's own, so that a record can be old
            NewTopic locks =
                    new NewTopic(TOPICS.gateLocks(), 1, (short) 1).configs(Map.of("cleanup.policy", "compact"));
            admin.createTopics(List.of(locks)).all().get();
            new TopicAdministration(admin).create(Topics.definitions(TOPICS, 1, 1, MAX_LEASE));
        }
    }

    private void policies(String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("policies.yml"), yaml);
        byte[] active = PolicySetJson.writeActive(PolicyFile.read(file));
        producer.send(new ProducerRecord<>(
                        TOPICS.policies(), PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8), active))
                .get();
    }

    /** Whether the webhook's group has found its place: a new one begins at the end. */
    private boolean notifierReads() throws Exception {
        try (Admin admin = Admin.create(client)) {
            for (var group : admin.listGroups().all().get()) {
                if (!admin.listConsumerGroupOffsets(group.groupId())
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .isEmpty()) {
                    return true;
                }
            }
            return false;
        }
    }

    private Version version(long epoch) {
        return new Version("decide-0", epoch, seq++);
    }

    private GateLock lock(String caller, long epoch, long since) {
        return new GateLock(
                "p",
                List.of(caller),
                Mode.BLOCK,
                0,
                0,
                MAX_LEASE,
                since,
                since + 60 * MINUTE,
                1,
                false,
                false,
                null,
                version(epoch));
    }

    private void write(GateRecord record, long append) throws Exception {
        write(CompositeKey.bytes(GateKeys.of(record)), GateLockJson.write(record), append);
    }

    private void write(byte[] key, byte[] value, long append) throws Exception {
        producer.send(new ProducerRecord<>(TOPICS.gateLocks(), 0, append, key, value))
                .get();
    }

    private static boolean locked(GateAgent agent, String caller) {
        try (var verdict =
                agent.check(Request.of(caller).identity(Identity.AUTHENTICATED).build())) {
            return !verdict.allowed();
        }
    }

    private static String get(HttpEndpoint pages, String path) throws Exception {
        URI uri = pages.uri().resolve(path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private String sluice(String... command) throws Exception {
        Path config = Files.writeString(
                folder.resolve("sluice.yml"),
                "kafka: { bootstrap.servers: \"" + broker.bootstrapServers()
                        + "\" }\nsources: [{ topic: sluice.requests }]\n");
        StringWriter out = new StringWriter();
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(2, List.of("--config", config.toString()));
        SluiceCommand.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(all.toArray(String[]::new));
        return out.toString();
    }

    private HttpServer server() {
        try {
            HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            made.createContext("/hook", exchange -> {
                announced.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            made.start();
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of an analyzer that is gone. */
    private static final class NoTasks implements TaskQueries {
        @Override
        public int partitions() {
            return 1;
        }

        @Override
        public Set<Integer> here() {
            return Set.of();
        }

        @Override
        public Top top() {
            return Top.of(List.of());
        }

        @Override
        public ClaimedShare claimed() {
            return ClaimedShare.NONE;
        }

        @Override
        public String address() {
            return "";
        }

        @Override
        public Set<String> others() {
            return Set.of();
        }

        @Override
        public Optional<String> owner(Policy policy, List<String> subject) {
            return Optional.empty();
        }

        @Override
        public Optional<Panes> window(Policy policy, List<String> subject, long time) {
            return Optional.empty();
        }

        @Override
        public Optional<StoredSubject> subject(Policy policy, List<String> subject, long time) {
            return Optional.empty();
        }
    }
}
