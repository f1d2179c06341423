package io.sluice.sidecar;

import static io.sluice.sidecar.DescriptorReaderTest.descriptor;
import static io.sluice.sidecar.DescriptorReaderTest.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sluice.testing.Signals;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A sidecar whose token server, a process of its own, was frozen after the first check. Checks of the service {@code central} wait for it. */
final class SidecarOfFrozenStore implements AutoCloseable {
    private static final String POLICIES = """
            policies:
              - { name: central, match: { service: central }, per: [caller],
                  limit: { rate: 6/h, burst: 3, scope: fleet, strategy: token-server } }
              - { name: flight, match: { service: [central, orders] }, per: [caller],
                  limit: { algorithm: concurrency, max: 1 } }
            """;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, Long> firstCounts = new HashMap<>();
    private final SidecarProcess server;
    private final Sidecar sidecar;
    private final ManagedChannel channel;

    /** @param wait of checks for the token server */
    SidecarOfFrozenStore(Path folder, String wait) throws Exception {
        server = SidecarProcess.start(Sidecars.settings(
                Files.createDirectory(folder.resolve("server")),
                "policies: []",
                "",
                ", token-server: true, token-server-start: full"));
        String agent = ", quota: { wait: %s, token-server: { servers: \"localhost:%d\", timeout: 60s } }"
                .formatted(wait, server.grpcPort());
        sidecar = Sidecars.open(Files.createDirectory(folder.resolve("sidecar")), POLICIES, agent, "");
        channel = NettyChannelBuilder.forAddress("127.0.0.1", sidecar.grpcPort())
                .usePlaintext()
                .build();
        await("the connection to the token server").untilAsserted(() -> {
            limits().shouldRateLimit(to("central", descriptor("caller=first")));
            assertThat(Sidecars.tokenRequests(sidecar, "granted")).isPositive();
        });
        for (String outcome : List.of("degraded", "timed-out")) {
            firstCounts.put(outcome, Sidecars.tokenRequests(sidecar, outcome));
        }
        Signals.stop(server.process().toHandle());
    }

    void resume() throws IOException {
        Signals.resume(server.process().toHandle());
    }

    /** Returns how many checks ended in that way since the token server is frozen. */
    long count(String outcome) throws Exception {
        return Sidecars.tokenRequests(sidecar, outcome) - firstCounts.getOrDefault(outcome, 0L);
    }

    /** Returns a channel of one connection. */
    ManagedChannel channel() {
        return channel;
    }

    RateLimitServiceBlockingStub limits() {
        return RateLimitServiceGrpc.newBlockingStub(channel);
    }

    /** Returns a connection that the server has accepted. */
    RawHttp connect() throws IOException {
        RawHttp connection = new RawHttp(sidecar.http());
        connection.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(connection.status()).isEqualTo(200);
        return connection;
    }

    /** Returns a connection whose first request is still to come. */
    RawHttp connectSilently() throws IOException {
        return new RawHttp(sidecar.http());
    }

    /** Asks on a connection of its own: the threads that read HTTP take new connections in turns. */
    int livez() throws IOException {
        try (RawHttp connection = new RawHttp(sidecar.http())) {
            connection.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
            return connection.status();
        }
    }

    int check(String caller, String service) throws Exception {
        return status(HttpRequest.newBuilder(sidecar.http().resolve("/check"))
                .header("X-Sluice-Caller", caller)
                .header("X-Sluice-Service", service));
    }

    int json(String caller, String service) throws Exception {
        return status(HttpRequest.newBuilder(sidecar.http().resolve("/json"))
                .POST(BodyPublishers.ofString(body(caller, service))));
    }

    static String body(String caller, String service) {
        return """
                {"domain":"%s","descriptors":[{"entries":[{"key":"caller","value":"%s"}]}]}""".formatted(service, caller);
    }

    private int status(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.close();
        sidecar.close();
    }
}
