package io.sluice.analyzer.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.settings.WebhookSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real broker, and a real receiver that fails, hangs and recovers. */
@Tag("server")
class NotifierTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SECRET = "not for everybody";
    private static final AtomicInteger TOPICS = new AtomicInteger();
    private static EmbeddedKafka kafka;

    private final List<Got> taken = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicLong ahead = new AtomicLong();
    private final ExecutorService answering = Executors.newCachedThreadPool();
    private final String topic = "locks-" + TOPICS.incrementAndGet();
    private volatile How how = status -> 200;
    private HttpServer receiver;
    private KafkaProducer<byte[], byte[]> producer;

    private interface How {
        /** The status of the n-th answer; may wait. */
        int answer(int n) throws InterruptedException;
    }

    private record Got(String id, String timestamp, String signature, String body) {}

    @BeforeAll
    static void startBroker() {
        kafka = EmbeddedKafka.builder().start();
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    @BeforeEach
    void receive() throws Exception {
        try (Admin admin = Admin.create(client())) {
            admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
        }
        producer = new KafkaProducer<>(client(), new ByteArraySerializer(), new ByteArraySerializer());
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.setExecutor(answering);
        receiver.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var headers = exchange.getRequestHeaders();
            try {
                int status = how.answer(asked.incrementAndGet());
                if (status == 200) {
                    taken.add(new Got(
                            headers.getFirst("Sluice-Id"),
                            headers.getFirst("Sluice-Timestamp"),
                            headers.getFirst("Sluice-Signature"),
                            body));
                }
                exchange.sendResponseHeaders(status, -1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        receiver.stop(0);
        answering.shutdownNow();
        producer.close();
    }

    private static Map<String, Object> client() {
        return Map.of("bootstrap.servers", kafka.bootstrapServers());
    }

    private Notifier start(Duration patience) {
        URI url = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
        WebhookSettings settings = new WebhookSettings(url, null, Set.of("open", "release"));
        return Notifier.start(
                settings,
                SECRET.getBytes(StandardCharsets.UTF_8),
                new Backoff(20, 200),
                patience,
                client(),
                topic,
                topic,
                new Holding(600_000, () -> System.currentTimeMillis() + ahead.get()));
    }

    /** A new group begins at the end: until that is committed, what is written is not for it. */
    private void awaitMember() throws Exception {
        try (Admin admin = Admin.create(client())) {
            await().atMost(PATIENCE)
                    .until(() -> admin.listGroups().all().get().stream()
                            .filter(group -> group.groupId().startsWith(topic))
                            .anyMatch(group -> {
                                try {
                                    return admin.listConsumerGroupOffsets(group.groupId())
                                                    .partitionsToOffsetAndMetadata()
                                                    .get()
                                                    .size()
                                            == 2;
                                } catch (Exception e) {
                                    return false;
                                }
                            }));
        }
    }

    private void write(String caller, Mode mode, boolean guarded) throws Exception {
        write(caller, mode, guarded, System.currentTimeMillis());
    }

    private void write(String caller, Mode mode, boolean guarded, long since) throws Exception {
        GateLock lock = AnnouncementsTest.lock(caller, mode, since, System.currentTimeMillis(), guarded);
        producer.send(new ProducerRecord<>(topic, CompositeKey.bytes(GateKeys.of(lock)), GateLockJson.write(lock)))
                .get();
    }

    @Test
    void aLockIsToldAndSigned() throws Exception {
        try (Notifier notifier = start(PATIENCE)) {
            awaitMember();

            write("acme", Mode.BLOCK, false);

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(taken).hasSize(1));
            Got got = taken.get(0);
            assertThat(got.body).contains("\"event\":\"open\"", "\"subject\":[\"acme\"]", "\"id\":\"" + got.id + "\"");
            assertThat(got.signature)
                    .isEqualTo(Signature.of(
                            SECRET.getBytes(StandardCharsets.UTF_8),
                            Long.parseLong(got.timestamp),
                            got.body.getBytes(StandardCharsets.UTF_8)));
            assertThat(notifier.lost()).isZero();
        }
    }

    @Test
    void eventsThatAreNotWantedAreNotTold() throws Exception {
        try (Notifier notifier = start(PATIENCE)) {
            awaitMember();

            write("acme", Mode.BLOCK, true);
            write("acme", Mode.OPEN, false);

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(taken).hasSize(1));
            assertThat(taken.get(0).body).contains("\"event\":\"release\"");
            assertThat(notifier.lost()).isZero();
        }
    }

    @Test
    void aReceiverThatFailsAndRecoversGetsAllOfIt() throws Exception {
        how = n -> n <= 4 ? 503 : 200;
        try (Notifier notifier = start(PATIENCE)) {
            awaitMember();

            write("acme", Mode.BLOCK, false);
            write("globex", Mode.BLOCK, false);

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(taken).hasSize(2));
            assertThat(taken).extracting(Got::id).doesNotHaveDuplicates();
            assertThat(asked.get()).isEqualTo(6);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(notifier.taken()).isEqualTo(2));
            assertThat(notifier.retried()).isEqualTo(4);
            assertThat(notifier.lost()).isZero();
        }
    }

    @Test
    void aLockThatIsOverBeforeTheReceiverRecoversIsNotTold() throws Exception {
        how = n -> 503;
        try (Notifier notifier = start(PATIENCE)) {
            awaitMember();
            long since = System.currentTimeMillis();
            write("acme", Mode.BLOCK, false, since);
            await().atMost(PATIENCE).until(() -> asked.get() >= 2);

            ahead.set(700_000);
            await().atMost(PATIENCE).until(() -> notifier.over() == 1);
            how = n -> 200;
            ahead.set(0);
            write("acme", Mode.OPEN, false, since);
            // another lock, on the same partition
            write("acme", Mode.BLOCK, false, since + 1);

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(taken).isNotEmpty());
            assertThat(taken)
                    .as("neither the first lock nor its release")
                    .singleElement()
                    .satisfies(got -> assertThat(got.body).contains("\"event\":\"open\"", "\"since\":" + (since + 1)));
            assertThat(notifier.lost()).isZero();
        }
    }

    @Test
    void aReceiverThatHangsIsAskedAgain() throws Exception {
        how = n -> {
            if (n == 1) {
                over.await();
            }
            return 200;
        };
        try (Notifier notifier = start(Duration.ofMillis(500))) {
            awaitMember();

            write("acme", Mode.BLOCK, false);

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(notifier.taken()).isEqualTo(1));
            assertThat(asked.get()).isGreaterThan(1);
            // once more for each answer that was late
            assertThat(taken).extracting(Got::id).isNotEmpty().containsOnly(taken.get(0).id);
            assertThat(notifier.lost()).isZero();
        }
    }

    @Test
    void whatAReceiverRefusesIsGivenUpAndTheNextIsTold() throws Exception {
        how = n -> n == 1 ? 400 : 200;
        try (Notifier notifier = start(PATIENCE)) {
            awaitMember();

            write("acme", Mode.BLOCK, false);
            await().atMost(PATIENCE).until(() -> notifier.lost() == 1);
            write("globex", Mode.BLOCK, false);

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(taken).hasSize(1));
            assertThat(taken.get(0).body).contains("globex");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(notifier.taken()).isEqualTo(1));
            assertThat(notifier.retried()).isZero();
        }
    }

    @Test
    void whatWasNotTakenWhenItEndedIsToldByItsNextLife() throws Exception {
        how = n -> 503;
        try (Notifier notifier = start(PATIENCE)) {
            awaitMember();
            write("acme", Mode.BLOCK, false);
            await().atMost(PATIENCE).until(() -> asked.get() >= 2);
            assertThat(notifier.lost()).isZero();
        }
        write("globex", Mode.BLOCK, false);
        how = n -> 200;

        try (Notifier notifier = start(PATIENCE)) {
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(taken).hasSize(2));
            assertThat(taken)
                    .extracting(Got::body)
                    .anyMatch(body -> body.contains("acme"))
                    .anyMatch(body -> body.contains("globex"));
            assertThat(notifier.lost()).isZero();
        }
    }

    @Tag("full")
    @Test
    void nothingIsLostWhenOthersJoinAndLeaveWhileTheReceiverFails() throws Exception {
        how = n -> 503;
        try (Notifier notifier = start(PATIENCE)) {
            awaitMember();
            for (int i = 0; i < 20; i++) {
                write("caller-" + i, Mode.BLOCK, false);
            }
            for (int i = 0; i < 2; i++) {
                try (Notifier other = start(PATIENCE)) {
                    await().atMost(PATIENCE).until(() -> other.retried() > 0);
                }
                long before = notifier.retried();
                await().atMost(PATIENCE).until(() -> notifier.retried() > before + 2);
            }

            how = n -> 200;

            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(taken.stream().map(Got::id).distinct()).hasSize(20));
            assertThat(notifier.lost()).isZero();
        }
    }
}
