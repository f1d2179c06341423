package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.GateAgent;
import io.sluice.contract.event.RouteNormalizer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that replace the client's address by what a header says, before any filter runs. */
@Tag("server")
@Tag("tomcat")
final class RewrittenPeerTest {
    private static final String ONE_AN_HOUR =
            "{\"policies\":[{\"name\":\"one\",\"per\":[\"caller\"]," + "\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}";
    private static final LocalAgents AGENTS = new LocalAgents();

    private final HttpClient client = HttpClient.newHttpClient();
    private final GateAgent agent = AGENTS.open(ONE_AN_HOUR);
    private Door.Running running;

    @AfterEach
    void stopServer() throws Exception {
        if (running != null) {
            running.stop();
        }
    }

    @AfterAll
    static void closeAgents() throws Exception {
        AGENTS.close();
    }

    private void serve(Door door, String... trustedProxies) throws Exception {
        running = door.open(
                agent,
                CallerExtraction.of("address", null, List.of(trustedProxies), 64),
                new RouteNormalizer(List.of()),
                HttpSignals.standard());
        running.believeForwardedHeaders();
    }

    private int status(String forwardedFor) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port() + "/orders"))
                .header("X-Forwarded-For", forwardedFor)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#containers")
    void noTrustedProxy_clientInventsAddresses_itIsOneCaller(Door door) throws Exception {
        serve(door);
        List<Integer> answers = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            answers.add(status("203.0.113." + i));
        }

        assertThat(answers).startsWith(200).filteredOn(status -> status == 429).hasSize(19);
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#containers")
    void trustedProxy_clientInventsAddresses_itIsTheAddressThatTheProxySaw(Door door) throws Exception {
        serve(door, "127.0.0.1/32");

        assertThat(status("6.6.6.1, 198.51.100.7")).isEqualTo(200);
        assertThat(status("6.6.6.2, 198.51.100.7")).isEqualTo(429);
        assertThat(status("6.6.6.2, 198.51.100.8")).isEqualTo(200);
        assertThat(status("198.51.100.8")).isEqualTo(429);
    }
}
