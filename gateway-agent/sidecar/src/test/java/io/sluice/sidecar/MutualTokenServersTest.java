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
@Tag("server")
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

    /** One call of each channel at once, of two callers at both sidecars: more would wait for each other, and a call waits for 10 s at most. */
    private void askOnEachChannel(int round, Map<String, List<RateLimitResponse.Code>> answers) throws Exception {
        List<Future<RateLimitResponse>> calls = new ArrayList<>();
        for (int i = 0; i < channels.size(); i++) {
            calls.add(RateLimitServiceGrpc.newFutureStub(channels.get(i))
                    .shouldRateLimit(to("orders", descriptor("caller=" + caller(round, i)))));
        }
        for (int i = 0; i < calls.size(); i++) {
            answers.computeIfAbsent(caller(round, i), it -> new ArrayList<>())
                    .add(calls.get(i).get(2, TimeUnit.MINUTES).getOverallCode());
        }
    }

    private static String caller(int round, int channel) {
        return "caller-" + (round + channel % 2) % CALLERS;
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
            Map<String, List<RateLimitResponse.Code>> answers = new HashMap<>();
            for (int round = 0; round < rounds; round++) {
                askOnEachChannel(round, answers);
            }

            assertThat(answers.keySet()).hasSizeGreaterThan(1);
            answers.values()
                    .forEach(codes -> assertThat(codes)
                            .filteredOn(RateLimitResponse.Code.OK::equals)
                            .hasSize(Math.min(BURST, codes.size())));
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
