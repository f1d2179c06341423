package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.http.server.Responses;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Server-sent events, to real HTTP clients. */
@Tag("server")
class EventStreamsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST = 5;
    private static final String TOPIC = "locks";
    private static final long NOW = 1_763_700_000_000L;

    private final GateEvents events = new GateEvents(TOPIC, MOST);
    private final EventStreams streams = new EventStreams(events, 50);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final long[] offsets = new long[2];
    private HttpEndpoint server;

    @BeforeEach
    void serve() throws Exception {
        events.caughtUp();
        server = HttpEndpoint.open(
                "127.0.0.1",
                0,
                HttpEndpoint.Bounds.of(100),
                "test-events",
                (request, response, callback) -> streams.open(request, response, callback)
                        .ifPresent(wrong -> Responses.problem(response, callback, wrong.status(), "wrong")));
    }

    @AfterEach
    void stop() {
        streams.close();
        server.close();
        threads.shutdownNow();
    }

    /** A client that reads lines as they come. */
    private final class Client {
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final HttpResponse<Stream<String>> response;

        private Client(String... headers) throws Exception {
            this(answer(headers));
        }

        private Client(HttpResponse<Stream<String>> response) {
            this.response = response;
            if (response.statusCode() == 200) {
                threads.execute(this::read);
                await().atMost(PATIENCE).until(() -> !said("id: ").isEmpty());
            }
        }

        private void read() {
            try (Stream<String> body = response.body()) {
                body.forEach(lines::add);
            } catch (UncheckedIOException e) {
                lines.add("ended");
            }
        }

        private List<String> said(String prefix) {
            return lines.stream()
                    .filter(line -> line.startsWith(prefix))
                    .map(line -> line.substring(prefix.length()))
                    .toList();
        }

        private void awaitEvents(String... kinds) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(said("event: ")).containsExactly(kinds));
        }
    }

    private HttpResponse<Stream<String>> answer(String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofLines());
    }

    @Test
    void whoListensIsToldWhatHappens() throws Exception {
        Client client = new Client();

        tell(0, "acme", Mode.BLOCK, NOW, false);
        tell(0, "acme", Mode.BLOCK, NOW, false);
        tell(1, "globex", Mode.BLOCK, NOW, true);
        tell(1, "globex", Mode.BLOCK, NOW, false);
        tell(0, "acme", Mode.OPEN, NOW, false);
        tell(0, "acme", Mode.OPEN, NOW, false);
        tell(0, "initech", Mode.BLOCK, NOW - 60_001, false);

        client.awaitEvents("open", "renew", "guard", "open", "release", "renew");
        assertThat(client.response.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(client.said("data: ").get(0)).contains("\"subject\":[\"acme\"]", "\"appended\":" + NOW);
        assertThat(client.said("id: ")).startsWith("", "0:1", "0:2", "0:2,1:1").endsWith("0:5,1:2");
        await().atMost(PATIENCE).until(() -> client.said(": ").contains("here"));
    }

    @Test
    void whoComesBackIsToldWhatCameMeanwhileAndNothingTwice() throws Exception {
        tell(0, "before", Mode.BLOCK, NOW, false);
        tell(1, "heard", Mode.BLOCK, NOW, false);
        tell(1, "missed", Mode.BLOCK, NOW, false);
        tell(0, "too", Mode.BLOCK, NOW, false);

        Client client = new Client("Last-Event-ID", "0:1,1:1");

        client.awaitEvents("open", "open");
        assertThat(client.said("data: ").get(0)).contains("missed");
        assertThat(client.said("data: ").get(1)).contains("too");
    }

    @Test
    void whatIsNotKeptAnyMoreIsSaidToBeGone() throws Exception {
        for (int n = 0; n <= GateEvents.KEPT; n++) {
            tell(0, "s" + n, Mode.BLOCK, NOW, false);
        }

        Client all = new Client("Last-Event-ID", "0:1");
        Client gone = new Client("Last-Event-ID", "0:0");
        Client future = new Client("Last-Event-ID", "0:999999");

        await().atMost(PATIENCE).until(() -> all.said("event: ").size() == GateEvents.KEPT);
        assertThat(all.said("event: ")).doesNotContain("gap");
        await().atMost(PATIENCE).until(() -> gone.said("event: ").size() == GateEvents.KEPT + 1);
        assertThat(gone.said("event: ").get(0)).isEqualTo("gap");
        // of a topic that was there before this one
        future.awaitEvents("gap");
    }

    @Test
    void thePastIsNoNewsWhileItIsBeingRead() throws Exception {
        events.again();
        tell(0, "old", Mode.BLOCK, NOW - 3_600_000, false);
        HttpResponse<Stream<String>> early = answer();
        tell(0, "old", Mode.OPEN, NOW - 3_600_000, false);
        tell(0, "older", Mode.BLOCK, NOW, false);
        events.caughtUp();
        tell(0, "new", Mode.BLOCK, NOW, false);

        Client client = new Client(early);

        client.awaitEvents("open");
        assertThat(client.said("data: ").get(0)).contains("\"new\"");
        assertThat(client.said("id: ")).containsExactly("0:3", "0:4");
    }

    @Test
    void whoComesBackWhileThePastIsBeingReadIsToldWhatWasMissedOnceItIs() throws Exception {
        events.again();
        HttpResponse<Stream<String>> early = answer("Last-Event-ID", "0:1");
        HttpResponse<Stream<String>> ofAnotherTopic = answer("Last-Event-ID", "0:99");
        tell(0, "heard", Mode.BLOCK, NOW, false);
        tell(0, "missed", Mode.BLOCK, NOW, false);
        events.caughtUp();

        Client client = new Client(early);

        client.awaitEvents("open");
        assertThat(client.said("data: ").get(0)).contains("\"missed\"");
        new Client(ofAnotherTopic).awaitEvents("gap");
    }

    @Test
    void aPlaceThatIsNoneIsRefused() throws Exception {
        assertThat(new Client("Last-Event-ID", "41").response.statusCode()).isEqualTo(400);
        assertThat(events.listeners()).isZero();
    }

    @Test
    void onlySoManyListen() throws Exception {
        List<Client> clients = new ArrayList<>();
        for (int n = 0; n < MOST; n++) {
            clients.add(new Client());
        }

        assertThat(new Client().response.statusCode()).isEqualTo(503);
        assertThat(clients).allMatch(client -> client.response.statusCode() == 200);
    }

    @Tag("full")
    @Test
    void whoDoesNotReadIsDroppedAndNobodyWaitsForHim() throws Exception {
        Client reader = new Client();
        try (Socket lazy = new Socket()) {
            lazy.setReceiveBufferSize(1_024);
            lazy.connect(
                    new InetSocketAddress(server.uri().getHost(), server.uri().getPort()));
            OutputStream out = lazy.getOutputStream();
            out.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            await().atMost(PATIENCE).until(() -> events.listeners() == 2);

            int fleet = 0;
            while (events.listeners() == 2 && fleet < 100_000) {
                for (int n = 0; n < 100; n++) {
                    tell(0, "s" + fleet++, Mode.BLOCK, NOW, false);
                }
                int all = fleet;
                await().atMost(PATIENCE).until(() -> reader.said("event: ").size() == all);
            }

            await().atMost(PATIENCE).until(() -> events.listeners() == 1);
            assertThat(reader.said(": ")).containsOnly("here");
        }
    }

    private void tell(int partition, String caller, Mode mode, long since, boolean guarded) {
        GateLock lock = new GateLock(
                "p",
                List.of(caller),
                mode,
                0,
                0,
                1_000,
                since,
                since + 1_000,
                1,
                false,
                guarded,
                null,
                new Version("decide-0", 1, 1));
        events.record(new ConsumerRecord<>(
                TOPIC,
                partition,
                ++offsets[partition],
                NOW,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                CompositeKey.bytes(GateKeys.of(lock)),
                GateLockJson.write(lock),
                new RecordHeaders(),
                Optional.empty()));
    }

    private URI uri() {
        return server.uri();
    }
}
