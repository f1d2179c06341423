package io.sluice.sidecar;

import static io.sluice.sidecar.DescriptorReaderTest.descriptor;
import static io.sluice.sidecar.DescriptorReaderTest.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** gRPC clients that begin calls and do not end them. */
@Tag("server")
class StalledCallsTest {
    private static final String SHOULD_RATE_LIMIT = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

    private final List<RawHttp2> clients = new ArrayList<>();

    @TempDir
    Path folder;

    private Sidecar sidecar;

    @BeforeEach
    void open() throws Exception {
        sidecar = Sidecars.open(folder, "policies: []");
    }

    @AfterEach
    void close() throws Exception {
        for (RawHttp2 client : clients) {
            client.close();
        }
        sidecar.close();
    }

    private RawHttp2 connect() throws Exception {
        RawHttp2 client = new RawHttp2(sidecar.grpcPort());
        clients.add(client);
        return client;
    }

    @Tag("full")
    @Test
    void messagesThatAreNotFinished_memoryStaysBoundedAndOthersAreAnswered() throws Exception {
        answersOthers();
        long before = PlatformDependent.usedDirectMemory();
        for (int i = 0; i < 8; i++) {
            RawHttp2 client = connect();
            for (int call = 0; call < 250; call++) {
                client.call(2 * call + 1, SHOULD_RATE_LIMIT);
                client.message(2 * call + 1, 200_000, new byte[60_000]);
            }
        }

        assertThat(PlatformDependent.usedDirectMemory() - before)
                .as("of %s bytes sent", 8 * 250 * 60_000)
                .isLessThan(2L * IncompleteCalls.MOST_BYTES);
        answersOthers();
        // the time of those above may be over by now
        await().untilAsserted(() -> {
            RawHttp2 client = connect();
            client.call(1, SHOULD_RATE_LIMIT);
            client.message(1, 200_000, new byte[60_000]);
            String metrics = metrics();
            assertThat(value(metrics, "sluice_sidecar_grpc_incomplete_bytes"))
                    .isBetween(1.0, (double) IncompleteCalls.MOST_BYTES);
            assertThat(value(metrics, "sluice_sidecar_grpc_ended_total")).isPositive();
        });
    }

    @Test
    @Tag("full")
    void requestThatIsNotComplete_isEndedWhenItsTimeIsUp() throws Exception {
        RawHttp2 client = connect();
        client.call(1, SHOULD_RATE_LIMIT);
        client.call(3, SHOULD_RATE_LIMIT);
        client.message(3, 100, new byte[10]);
        client.call(5, SHOULD_RATE_LIMIT);
        byte[] whole = request().toByteArray();
        client.message(5, whole.length, whole);

        await().untilAsserted(() -> assertThat(client.ended()).isEqualTo(Set.of(1, 3, 5)));
        await().untilAsserted(() -> assertThat(value(metrics(), "sluice_sidecar_grpc_incomplete_bytes"))
                .isZero());
        answersOthers();
    }

    private static RateLimitRequest request() {
        return to("orders", descriptor("caller=acme"));
    }

    private void answersOthers() {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", sidecar.grpcPort())
                .usePlaintext()
                .build();
        try {
            assertThat(RateLimitServiceGrpc.newBlockingStub(channel)
                            .shouldRateLimit(request())
                            .getOverallCode())
                    .isEqualTo(RateLimitResponse.Code.OK);
        } finally {
            channel.shutdownNow();
        }
    }

    private String metrics() throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(sidecar.http() + "/metrics"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private static double value(String metrics, String name) {
        return metrics.lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + name));
    }
}
