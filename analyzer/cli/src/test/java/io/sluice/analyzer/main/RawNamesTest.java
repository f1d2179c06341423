package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.analyzer.cli.CommandResult;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.pseudonym.PseudonymKey;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.testing.FreePort;
import java.io.IOException;
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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plants names of callers and addresses in a service whose agent writes pseudonyms, and looks for them in everything behind it. */
@Tag("server")
class RawNamesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NOISY = "raw-noisy-7391";
    private static final String ALLOWED = "raw-allowed-5512";
    private static final String BY_HAND = "raw-by-hand-8842";
    private static final String REFUSED = "raw-refused-1187";
    private static final String ADDRESS = "203.0.113.77";
    private static final List<String> LOGGING = List.of("-Dsluice.log=DEBUG");
    private static final List<String> RAW = List.of(NOISY, ALLOWED, BY_HAND, REFUSED, ADDRESS);
    private static final String POLICIES = """
            allow: [ { caller: raw-allowed-5512, reason: paid } ]
            guard: { atLeast: 1 }
            policies:
              - { name: noisy, per: [caller], window: 10m, lock: { when: [ { above: 20 } ], mode: block, for: 10m, release: 0% } }
              - { name: address, per: [ip], window: 10m, lock: { when: [ { above: 50 } ], mode: block, for: 10m, release: 0% } }
            """;

    @TempDir
    Path folder;

    /** What was found where: the place, and all its bytes as ISO-8859-1. */
    private final Map<String, String> places = new TreeMap<>();

    private int visitors;

    @Tag("full")
    @Test
    void pseudonyms_standInPlaceOfNames_inEverythingBehindTheService() throws Exception {
        Files.writeString(folder.resolve("keys"), "k1: " + "QUFB".repeat(11) + "\n");
        Files.writeString(folder.resolve("policies.yml"), POLICIES);
        Files.writeString(folder.resolve("token"), "an-operators-token-0123456789\n");
        PseudonymKey key = Pseudonyms.read(folder.resolve("keys")).keys().get(0);
        Map<Integer, String> hooks = new ConcurrentHashMap<>();
        HttpServer hook = hook(hooks);
        try (EmbeddedKafka broker = EmbeddedKafka.builder().start()) {
            int port = FreePort.next();
            String settings = settings(broker, hook, port);
            try (AnalyzerProcess analyzer = AnalyzerProcess.start(folder, "one", settings, LOGGING);
                    GateAgent agent = GateAgent.builder()
                            .bootstrap(broker.bootstrapServers())
                            .service("orders")
                            .pseudonyms(Pseudonyms.read(folder.resolve("keys")))
                            .build()) {
                await().atMost(PATIENCE).until(() -> agent.freshness() == Freshness.FRESH);

                bystanders(agent);
                await().atMost(PATIENCE).until(() -> {
                    call(agent, ALLOWED, null, 5);
                    return call(agent, NOISY, null, 5);
                });
                await().atMost(PATIENCE).until(() -> visitors(agent));
                assertThat(call(agent, ALLOWED, null, 1))
                        .as("an allowed caller")
                        .isFalse();
                refused(agent);
                places.put("locks add", sluice("locks", "add", "noisy", BY_HAND, "--reason", "r"));
                await().atMost(PATIENCE).until(() -> call(agent, BY_HAND, null, 1));
                await().atMost(PATIENCE).until(() -> hooks.size() >= 2);
                await().atMost(PATIENCE)
                        .until(() -> sluice("dead-letters", "list", "--json").contains("count"));
                await().atMost(PATIENCE).until(this::explained);
                commands(key);
                pages(port);
                places.put("locks release", sluice("locks", "release", "noisy", BY_HAND, "--reason", "r"));
                await().atMost(PATIENCE).until(() -> !call(agent, BY_HAND, null, 1));
                analyzer.terminate();
                places.put("the analyzer's log", Files.readString(folder.resolve("one.log")));
            }
            topics(broker);
            files(folder.resolve("state"));
            places.put("webhooks", hooks.toString());
        } finally {
            hook.stop(0);
        }
        places.forEach((place, bytes) ->
                assertThat(RAW.stream().filter(bytes::contains)).as(place).isEmpty());
        assertThat(holding(key.caller(NOISY)))
                .contains("the analyzer's log", "webhooks", "locks list", "locks why", "callers show", "/api/v1/locks")
                .contains("topic sluice.requests", "topic sluice.gate-locks", "topic sluice.decisions")
                .contains("topic sluice.usage", "state files");
        assertThat(holding(key.caller(REFUSED))).contains("topic sluice.dead-letters");
        assertThat(holding(key.caller(ALLOWED))).contains("topic sluice.policies");
        assertThat(holding(key.caller(BY_HAND))).contains("topic sluice.operator", "locks add", "locks release");
        assertThat(holding(key.ip(ADDRESS).substring(0, 19)))
                .contains("topic sluice.requests", "topic sluice.gate-locks");
    }

    private List<String> holding(String pseudonym) {
        return places.entrySet().stream()
                .filter(place -> place.getValue().contains(pseudonym))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns whether the last of some calls met a lock. */
    private static boolean call(GateAgent agent, String caller, @Nullable String ip, int times) {
        boolean locked = false;
        for (int i = 0; i < times; i++) {
            Request request = agent.request(caller).ip(ip).route("/orders").build();
            try (Verdict verdict = agent.check(request)) {
                locked = verdict instanceof Verdict.Rejected rejected && rejected.reason() == Verdict.Reason.LOCKED;
                agent.log(request, verdict, locked ? 429 : 200, 1, 1);
            }
        }
        return locked;
    }

    /** Returns whether the last of many new callers at one address met a lock. */
    private boolean visitors(GateAgent agent) {
        boolean locked = false;
        for (int i = 0; i < 20; i++) {
            locked = call(agent, "visitor-" + visitors++, ADDRESS, 1);
        }
        return locked;
    }

    /** One call each: the guard never locks more than half of the active callers, and opens all gates when these become noisy too. */
    private static void bystanders(GateAgent agent) {
        for (int i = 0; i < 20; i++) {
            call(agent, "bystander-" + i, "198.51.100." + (100 + i), 1);
        }
    }

    /** An entry that the analyzer refuses: it stands for too many requests. */
    private static void refused(GateAgent agent) {
        agent.log(new RequestEvent(
                System.currentTimeMillis(),
                REFUSED,
                "orders",
                "/orders",
                "GET",
                ADDRESS,
                200,
                1,
                1,
                "agent",
                Outcome.ALLOWED,
                1_000_000,
                Identity.AUTHENTICATED,
                Map.of()));
    }

    private boolean explained() {
        places.put("locks list", sluice("locks", "list"));
        places.put("locks why", sluice("locks", "why", "noisy", NOISY));
        return places.get("locks why").contains("is locked by the analyzer");
    }

    private void commands(PseudonymKey key) {
        places.put("locks history", sluice("locks", "history"));
        places.put("callers top", sluice("callers", "top"));
        places.put("callers show", sluice("callers", "show", NOISY));
        places.put("policies list", sluice("policies", "list", "--json"));
        places.put("dead letters", sluice("dead-letters", "list"));
        places.put("agents", sluice("agents", "list", "--json"));
        places.put("doctor", sluice("doctor"));
        assertThat(sluice("pseudonym", ADDRESS)).contains("caller " + key.caller(ADDRESS), "ip " + key.ip(ADDRESS));
        assertThat(sluice("pseudonym", NOISY, "--json"))
                .contains("{\"key\":\"k1\",\"inUse\":true,\"caller\":\"" + key.caller(NOISY) + "\"");
    }

    private void pages(int port) throws Exception {
        for (String path : List.of("/metrics", "/api/v1/locks", "/api/v1/callers/top", "/api/v1/policies")) {
            places.put(
                    path,
                    HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                            .header("Authorization", "Bearer an-operators-token-0123456789")
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body());
        }
    }

    private void topics(EmbeddedKafka broker) {
        Map<String, Object> client = Map.of("bootstrap.servers", broker.bootstrapServers());
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> all = consumer.listTopics().values().stream()
                    .flatMap(List::stream)
                    .map(each -> new TopicPartition(each.topic(), each.partition()))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
                    places.merge("topic " + each.topic(), text(each.key()) + text(each.value()), String::concat);
                }
            }
        }
    }

    private void files(Path state) throws IOException {
        try (Stream<Path> files = Files.walk(state)) {
            files.filter(Files::isRegularFile).forEach(file -> {
                try {
                    places.merge("state files", text(Files.readAllBytes(file)), String::concat);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private String sluice(String... arguments) {
        CommandResult result = CommandResult.run(Stream.concat(
                        Stream.of(arguments),
                        Stream.of("--config", folder.resolve("sluice.yml").toString()))
                .toArray(String[]::new));
        return result.out() + result.err();
    }

    private String settings(EmbeddedKafka broker, HttpServer hook, int port) {
        return """
                kafka: { bootstrap.servers: "%s" }
                topics: { create: true, partitions: 2 }
                policies: %s/policies.yml
                analyzer: { state-dir: %s/state }
                http: { port: %d, token-file: %s/token }
                agent: { pseudonym-key-file: %s/keys }
                webhooks: [ { url: "http://127.0.0.1:%d/" } ]
                """.formatted(
                        broker.bootstrapServers(),
                        folder,
                        folder,
                        port,
                        folder,
                        folder,
                        hook.getAddress().getPort());
    }

    private static HttpServer hook(Map<Integer, String> bodies) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bodies.put(bodies.size(), text(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        return server;
    }
}
