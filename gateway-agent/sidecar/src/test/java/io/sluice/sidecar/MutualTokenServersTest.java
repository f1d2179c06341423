package io.sluice.sidecar;

import static io.sluice.sidecar.DescriptorReaderTest.descriptor;
import static io.sluice.sidecar.DescriptorReaderTest.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sluice.testing.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sidecars that are each other's token servers, and their own. */
class MutualTokenServersTest {
    private static final int CALLERS = 8;
    private static final int BURST = 25;
    private static final String POLICIES = """
            policies:
              - { name: plans, per: [caller], limit: { rate: 1/h, burst: %d, scope: fleet, strategy: token-server } }
            """.formatted(BURST);

    /** One for each thread that reads calls, at least: gRPC spreads connections over them. */
    private static final int CHANNELS = 2 * Runtime.getRuntime().availableProcessors();

    @TempDir
    Path folder;

    private final List<ManagedChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }

    private Sidecar open(String name, int port, int other) throws Exception {
        String agent = ", quota: { wait: 10s, token-server: { servers: \"127.0.0.1:%d,127.0.0.1:%d\", timeout: 10s } }"
                .formatted(Math.min(port, other), Math.max(port, other));
        String server = ", token-server: true, token-server-start: full";
        return Sidecars.open(Files.createDirectory(folder.resolve(name)), POLICIES, agent, server, port);
    }

    private void connect(Sidecar sidecar) {
        for (int i = 0; i < CHANNELS; i++) {
            channels.add(NettyChannelBuilder.forAddress("127.0.0.1", sidecar.grpcPort())
                    .usePlaintext()
                    .build());
        }
    }

    @Tag("full")
    @Test
    void concurrentChecks_areCountedExactly_withoutShares() throws Exception {
        int port = FreePort.next();
        int other = FreePort.next();
        try (Sidecar one = open("one", port, other);
                Sidecar two = open("two", other, port)) {
            connect(one);
            connect(two);
            int rounds = Math.max(1, 2 * CALLERS * BURST / channels.size());
            Map<String, List<Future<RateLimitResponse>>> calls = new HashMap<>();
            for (int i = 0; i < rounds * channels.size(); i++) {
                String caller = "caller-" + i % CALLERS;
                ManagedChannel channel = channels.get(i / CALLERS % channels.size());
                calls.computeIfAbsent(caller, it -> new ArrayList<>())
                        .add(RateLimitServiceGrpc.newFutureStub(channel)
                                .shouldRateLimit(to("orders", descriptor("caller=" + caller))));
            }

            for (List<Future<RateLimitResponse>> answers : calls.values()) {
                int allowed = 0;
                for (Future<RateLimitResponse> answer : answers) {
                    boolean ok = answer.get(2, TimeUnit.MINUTES).getOverallCode() == RateLimitResponse.Code.OK;
                    allowed += ok ? 1 : 0;
                }
                assertThat(allowed).isEqualTo(Math.min(BURST, answers.size()));
            }
            for (Sidecar sidecar : List.of(one, two)) {
                for (String outcome : List.of("timed-out", "failed", "degraded")) {
                    assertThat(Sidecars.tokenRequests(sidecar, outcome))
                            .as(outcome)
                            .isZero();
                }
            }
        }
    }
}
