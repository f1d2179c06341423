package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.GateAgent;
import io.sluice.agent.http.StructuredFields.Limit;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The answers to clients behind each door, read by an independent parser. */
@Tag("server")
@Tag("tomcat")
final class DoorContractTest {
    private static final String POLICIES = "{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\",\"route\"],"
            + "\"limit\":{\"rate\":\"1/h\",\"burst\":2}}]}";
    private static final List<String> TOLD = List.of(
            "retry-after",
            "cache-control",
            "ratelimit",
            "ratelimit-policy",
            "x-ratelimit-limit",
            "x-ratelimit-remaining",
            "x-ratelimit-reset",
            "content-type",
            "content-length");

    private static final LocalAgents AGENTS = new LocalAgents();

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Door.Running> open = new ArrayList<>();

    @AfterEach
    void stopServers() throws Exception {
        for (Door.Running running : open) {
            running.stop();
        }
    }

    @AfterAll
    static void closeAgents() throws Exception {
        AGENTS.close();
    }

    private int serve(Door door, HttpSignals signals) throws Exception {
        return serve(door, signals, POLICIES);
    }

    private int serve(Door door, HttpSignals signals, String policies) throws Exception {
        GateAgent agent = AGENTS.open(policies);
        CallerExtraction caller = CallerExtraction.of("header:X-Api-Key", Identity.AUTHENTICATED, List.of(), 64);
        Door.Running running = door.open(agent, caller, new RouteNormalizer(List.of()), signals);
        open.add(running);
        return running.port();
    }

    private HttpResponse<String> ask(String method, int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/a"))
                .header("X-Api-Key", "acme")
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static Limit only(HttpResponse<?> response, String field) {
        List<Limit> limits =
                StructuredFields.read(String.join(", ", response.headers().allValues(field)));
        assertThat(limits).hasSize(1);
        return limits.get(0);
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void allowedAndRejectedSayWhatRemains(Door door) throws Exception {
        int port = serve(door, HttpSignals.standard());
        for (long remaining : new long[] {1, 0, 0}) {
            HttpResponse<String> response = ask("GET", port);
            assertThat(only(response, "RateLimit-Policy")).isEqualTo(new Limit("plans", Map.of("q", 2L, "w", 7200L)));
            Limit limit = only(response, "RateLimit");
            assertThat(limit.policy()).isEqualTo("plans");
            assertThat(limit.parameters()).containsOnlyKeys("r", "t").containsEntry("r", remaining);
            assertThat((Long) limit.parameters().get("t")).isBetween(1L, 3600L);
        }
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void callerInUtf8_hasTheNameThatPoliciesAndLogsGiveIt(Door door) throws Exception {
        String named = "{\"policies\":[{\"name\":\"zoe\",\"match\":{\"caller\":\"Zoë €\"},\"per\":[\"caller\"],"
                + "\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}";
        int port = serve(door, HttpSignals.standard(), named);

        assertThat(List.of(askAs("Zoë €", port), askAs("Zoë €", port), askAs("Zoe", port)))
                .containsExactly("HTTP/1.1 200", "HTTP/1.1 429", "HTTP/1.1 200");
    }

    private static String askAs(String caller, int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String request =
                    "GET /a HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: " + caller + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
            socket.getInputStream().readAllBytes();
            return new String(status, StandardCharsets.US_ASCII);
        }
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void retryAfterIsNeverBeforeTheResetAndSpreads(Door door) throws Exception {
        int port = serve(door, HttpSignals.standard());
        ask("GET", port);
        ask("GET", port);
        List<Long> beyond = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            HttpResponse<String> response = ask("GET", port);
            long told =
                    Long.parseLong(response.headers().firstValue("Retry-After").orElseThrow());
            beyond.add(told - (Long) only(response, "RateLimit").parameters().get("t"));
        }
        assertThat(beyond).allSatisfy(seconds -> assertThat(seconds).isBetween(0L, 60L));
        assertThat(beyond.stream().distinct().count()).isGreaterThan(3);
    }

    /** The fields that the gate says, with seconds, which pass, made alike. */
    private Map<String, String> told(HttpResponse<String> response) {
        Map<String, String> told = new TreeMap<>();
        for (String name : TOLD) {
            response.headers()
                    .firstValue(name)
                    .ifPresent(value -> told.put(
                            name,
                            switch (name) {
                                case "ratelimit" -> value.replaceAll(";t=\\d+$", ";t=N");
                                case "retry-after", "x-ratelimit-reset" -> value.replaceAll("^\\d+$", "N");
                                default -> value;
                            }));
        }
        told.put("status", Integer.toString(response.statusCode()));
        told.put("body", response.body());
        return told;
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#containers")
    void aContainerSaysTheSameAsTheJdksServer(Door container) throws Exception {
        HttpSignals signals = HttpSignals.standard().legacy(true);
        int jdk = serve(Door.JDK, signals);
        int servlet = serve(container, signals);
        for (String method : List.of("GET", "GET", "GET", "HEAD", "POST", "OPTIONS")) {
            Map<String, String> one = told(ask(method, jdk));
            Map<String, String> other = told(ask(method, servlet));
            assertThat(one).as(method).isEqualTo(other);
        }
        assertThat(told(ask("GET", jdk)))
                .containsEntry("status", "429")
                .containsEntry("retry-after", "N")
                .containsEntry("cache-control", "no-store")
                .containsEntry("ratelimit", "\"plans\";r=0;t=N")
                .containsEntry("x-ratelimit-limit", "2")
                .containsEntry("x-ratelimit-remaining", "0")
                .containsEntry("x-ratelimit-reset", "N")
                .containsEntry("content-type", "application/problem+json");
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void legacyFieldsAreOffUnlessAskedFor(Door door) throws Exception {
        HttpResponse<String> response = ask("GET", serve(door, HttpSignals.standard()));
        assertThat(response.headers().map().keySet())
                .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("x-ratelimit"));
    }

    @ParameterizedTest
    @MethodSource("io.sluice.agent.http.Door#present")
    void nothingThatAnAttackerWroteComesBack(Door door) throws Exception {
        int port = serve(door, HttpSignals.standard().legacy(true));
        List<String> callers = List.of(
                "evil\"mark",
                "evil\\\";r=999;mark=1",
                "evil, \"mark\";r=5",
                "evil\u00e9\u00ffmark",
                "evil\tmark",
                "evil{\"type\":\"mark\"}",
                "evil\r\n Set-Cookie: mark=1",
                "evil\nSet-Cookie: mark=1",
                "evil\rSet-Cookie: mark=1");
        int rejected = 0;
        for (String caller : callers) {
            for (String path : List.of("/mark", "/%0d%0aSet-Cookie:mark", "/a;mark=\"1\"?mark=<mark>", "/%e9mark")) {
                String answer = "";
                for (int i = 0; i < 3; i++) {
                    answer = raw(
                            port,
                            "GET " + path + " HTTP/1.1\r\nHost: h\r\nX-Api-Key: " + caller
                                    + "\r\nConnection: close\r\n\r\n");
                }
                if (answer.startsWith("HTTP/1.1 429")) {
                    rejected++;
                    assertThat(answer).as("%s %s", caller, path).doesNotContain("mark");
                } else {
                    // what is no HTTP is refused by the server itself, and never reaches the gate
                    assertThat(answer).as("%s %s", caller, path).matches("(?s)HTTP/1.1 400.*|");
                }
            }
        }
        assertThat(rejected).isGreaterThanOrEqualTo(10);
    }

    private static String raw(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                    .lines()
                    .collect(Collectors.joining("\n"));
        }
    }
}
