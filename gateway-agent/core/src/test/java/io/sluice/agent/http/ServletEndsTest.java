package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.Cluster;
import io.sluice.agent.GateAgent;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.kafka.embedded.EmbeddedKafka;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** However a container ends a request: it was checked once, and is logged once, with the status that the client saw. */
@Tag("server")
@Tag("tomcat")
final class ServletEndsTest {
    private static final Map<String, Integer> ENDS = ends();

    private final HttpClient client = HttpClient.newHttpClient();

    private static Map<String, Integer> ends() {
        Map<String, Integer> ends = new LinkedHashMap<>();
        ends.put("/served", 200);
        ends.put("/created", 201);
        ends.put("/forward", 200);
        ends.put("/include", 200);
        ends.put("/not-found", 404);
        ends.put("/busy", 503);
        ends.put("/fails", 500);
        ends.put("/fails-servlet", 500);
        ends.put("/fails-runtime", 500);
        ends.put("/async", 200);
        ends.put("/async-created", 201);
        ends.put("/async-busy", 503);
        ends.put("/async-dispatch", 201);
        ends.put("/async-again", 201);
        ends.put("/async-fails", 500);
        ends.put("/async-timeout", 500);
        return ends;
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#containers")
    void aRequestIsCheckedAndLoggedOnceHoweverItEnds(Door container) throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().start();
                Cluster cluster = new Cluster(kafka.bootstrapServers(), "ends.");
                GateAgent agent = cluster.agent().build()) {
            Door.Running running = container.open(
                    agent, CallerExtraction.address(), new RouteNormalizer(List.of()), HttpSignals.standard());
            try {
                Map<String, Integer> seen = new LinkedHashMap<>();
                for (String path : ENDS.keySet()) {
                    seen.put(path, ask(running.port(), path));
                }
                assertThat(seen).as("what the client saw").isEqualTo(ENDS);

                // a client that has its answer is ahead of a container that still tidies up
                await().atMost(Duration.ofMinutes(2))
                        .untilAsserted(() -> assertThat(agent.status().sent()).isEqualTo(ENDS.size()));
                assertThat(agent.status().checks()).isEqualTo(ENDS.size());
                assertThat(statuses(cluster.read(cluster.names.requests(), ENDS.size())))
                        .as("what the log says")
                        .containsExactlyInAnyOrderElementsOf(lines(seen));
            } finally {
                running.stop();
            }
        }
    }

    private int ask(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMinutes(2))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private static List<String> lines(Map<String, Integer> statuses) {
        return statuses.entrySet().stream()
                .map(it -> it.getKey() + " " + it.getValue())
                .toList();
    }

    private static List<String> statuses(List<ConsumerRecord<byte[], byte[]>> records) throws MalformedRecord {
        List<String> lines = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            RequestEvent event = RequestEventReader.ours().read(record.value());
            lines.add(event.route() + " " + event.status());
        }
        return lines;
    }
}
