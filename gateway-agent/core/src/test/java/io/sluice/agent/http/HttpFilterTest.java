package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RouteNormalizer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same behaviour behind every server, over real sockets. No broker: local limits need none. */
@Tag("server")
@Tag("tomcat")
final class HttpFilterTest {
    private static final String POLICIES = "{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],"
            + "\"limit\":{\"rate\":\"1/h\",\"burst\":2}},"
            + "{\"name\":\"logins\",\"match\":{\"route\":\"/login/{id}\"},\"per\":[],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}";

    private static final LocalAgents AGENTS = new LocalAgents();

    private final HttpClient client = HttpClient.newHttpClient();
    private final GateAgent agent = AGENTS.open(POLICIES);
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

    private void serve(Door door) throws Exception {
        CallerExtraction caller = CallerExtraction.of("header:X-Api-Key", Identity.AUTHENTICATED, List.of(), 64);
        RouteNormalizer routes = new RouteNormalizer(List.of());
        running = door.open(agent, caller, routes, HttpSignals.standard());
    }

    private HttpResponse<String> get(String path, String caller) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port() + path))
                .header("X-Api-Key", caller)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private void awaitLogged(long requests) {
        await().untilAsserted(() -> assertThat(agent.status().logged()).isEqualTo(requests));
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void whatPassesIsServedAndSaysWhatRemains(Door door) throws Exception {
        serve(door);
        HttpResponse<String> response = get("/orders/17", "acme");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("hello");
        assertThat(response.headers().firstValue("RateLimit-Policy")).contains("\"plans\";q=2;w=7200");
        assertThat(response.headers().firstValue("RateLimit")).contains("\"plans\";r=1;t=3600");
        assertThat(response.headers().firstValue("Retry-After")).isEmpty();
        awaitLogged(1);
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void whatIsOverIsToldHowLongAndWhy(Door door) throws Exception {
        serve(door);
        get("/a", "acme");
        get("/b", "acme");
        HttpResponse<String> response = get("/c", "acme");
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(Integer.parseInt(response.headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(3000, 3660);
        assertThat(response.headers().firstValue("RateLimit").orElseThrow()).startsWith("\"plans\";r=0;t=");
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body()).contains("#quota-exceeded", "\"violated-policies\":[\"plans\"]");
        assertThat(get("/c", "bolt").statusCode()).isEqualTo(200);
        awaitLogged(4);
        assertThat(agent.status().rejections()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void routesAreNormalisedBeforeTheyAreMatched(Door door) throws Exception {
        serve(door);
        assertThat(get("/login/1?token=secret", "a").statusCode()).isEqualTo(200);
        assertThat(get("/login/2", "b").statusCode()).isEqualTo(429);
    }

    /** It finds handlers by the decoded path; Tomcat and Jetty refuse an escaped slash. */
    @Test
    void escapedPath_countsAsTheDecodedOne_whichTheServerOfTheJdkServes() throws Exception {
        serve(Door.JDK);
        assertThat(get("/login/1", "a").statusCode()).isEqualTo(200);
        assertThat(get("/login%2F2", "b").statusCode()).isEqualTo(429);
        assertThat(get("/%2flogin%2F%33", "c").statusCode()).isEqualTo(429);
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void aServiceThatFailsIsLoggedToo(Door door) throws Exception {
        serve(door);
        // the JDK's server closes the connection without an answer, and a client proper would try again
        String answer = raw("GET /fails HTTP/1.1\r\nHost: h\r\nX-Api-Key: acme\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith(door == Door.JDK ? "" : "HTTP/1.1 500");
        awaitLogged(1);
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void nothingAClientWroteComesBack(Door door) throws Exception {
        serve(door);
        String hostile = "\"><script>x</script>";
        String answer = "";
        for (int i = 0; i < 3; i++) {
            answer = raw("GET /%3Cscript%3E?Set-Cookie:a=b HTTP/1.1\r\nHost: h\r\nX-Api-Key: " + hostile
                    + "\r\nConnection: close\r\n\r\n");
        }
        assertThat(answer).startsWith("HTTP/1.1 429").doesNotContain("script").doesNotContain("Set-Cookie");
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void aRejectedHeadSaysTheSameWithoutABody(Door door) throws Exception {
        serve(door);
        get("/a", "acme");
        get("/a", "acme");
        String answer = raw("HEAD /a HTTP/1.1\r\nHost: h\r\nX-Api-Key: acme\r\nConnection: close\r\n\r\n");
        assertThat(answer)
                .startsWith("HTTP/1.1 429")
                .containsIgnoringCase("Retry-After: ")
                .containsIgnoringCase("RateLimit: \"plans\";r=0;t=")
                .doesNotContain("quota-exceeded");
        awaitLogged(3);
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                    .lines()
                    .collect(Collectors.joining("\n"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#containers")
    void anAsynchronousRequestIsCheckedAndLoggedOnce(Door door) throws Exception {
        serve(door);
        assertThat(get("/async", "acme").body()).isEqualTo("later");
        awaitLogged(1);
        assertThat(agent.status().checks()).isEqualTo(1);
    }
}
