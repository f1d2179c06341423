package io.sluice.sidecar;

import static io.sluice.sidecar.DescriptorReaderTest.descriptor;
import static io.sluice.sidecar.DescriptorReaderTest.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.rpc.Code;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.auth.v3.AttributeContext;
import io.envoyproxy.envoy.service.auth.v3.AuthorizationGrpc;
import io.envoyproxy.envoy.service.auth.v3.CheckRequest;
import io.envoyproxy.envoy.service.auth.v3.CheckResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A token server that is frozen while checks wait for it: all other requests are answered in the meantime. */
@Tag("server")
@Tag("full")
class SilentTokenServerTest {
    private static final String CHECK =
            "GET /check HTTP/1.1\r\nHost: x\r\nX-Sluice-Service: central\r\nX-Sluice-Caller: %s\r\n\r\n";

    /** As long as a check waits for the token server in most of these tests, the longest that there is. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private interface Scenario {
        void with(SidecarOfFrozenStore sidecar) throws Exception;
    }

    /** Runs it while checks wait. What a stalled machine saw after their wait shows nothing: it looks again at others, five times at most. */
    private void whileChecksWait(Scenario scenario) throws Exception {
        for (int round = 1; ; round++) {
            Path fresh = Files.createDirectory(folder.resolve("round-" + round));
            try (SidecarOfFrozenStore sidecar = new SidecarOfFrozenStore(fresh, WAIT.toSeconds() + "s")) {
                long begun = System.nanoTime();
                try {
                    scenario.with(sidecar);
                    return;
                } catch (AssertionError | ConditionTimeoutException e) {
                    if (System.nanoTime() - begun < WAIT.toNanos() || round == 5) {
                        throw e;
                    }
                }
            }
        }
    }

    @Test
    void checkThatWaits_doesNotDelayOtherRequests_overHttp() throws Exception {
        whileChecksWait(sidecar -> {
            try (RawHttp stalled = sidecar.connect()) {
                stalled.send(CHECK.formatted("acme"));

                for (int round = 0; round < 10; round++) {
                    assertThat(sidecar.livez()).isEqualTo(200);
                    assertThat(sidecar.check("globex", "orders")).isEqualTo(204);
                    assertThat(sidecar.json("globex", "orders")).isEqualTo(200);
                    assertThat(stalled.answered()).isFalse();
                }
                sidecar.resume();

                assertThat(stalled.status()).isEqualTo(204);
                assertThat(sidecar.count("degraded")).isZero();
            }
        });
    }

    @Test
    void callThatWaits_doesNotDelayOtherCalls_ofItsConnection() throws Exception {
        whileChecksWait(sidecar -> {
            AuthorizationGrpc.AuthorizationBlockingStub authorization =
                    AuthorizationGrpc.newBlockingStub(sidecar.channel());
            // a connection's calls are read in their order
            Future<RateLimitResponse> limited = RateLimitServiceGrpc.newFutureStub(sidecar.channel())
                    .shouldRateLimit(to("central", descriptor("caller=acme"), descriptor("caller=globex")));
            Future<CheckResponse> authorized =
                    AuthorizationGrpc.newFutureStub(sidecar.channel()).check(asks("192.0.2.1", "central"));

            assertThat(sidecar.limits()
                            .shouldRateLimit(to("orders", descriptor("caller=initech")))
                            .getOverallCode())
                    .isEqualTo(RateLimitResponse.Code.OK);
            assertThat(authorization
                            .check(asks("192.0.2.2", "orders"))
                            .getStatus()
                            .getCode())
                    .isEqualTo(Code.OK_VALUE);
            assertThat(sidecar.livez()).isEqualTo(200);
            assertThat(limited.isDone() || authorized.isDone()).isFalse();
            sidecar.resume();

            assertThat(limited.get(2, TimeUnit.MINUTES).getStatusesList())
                    .extracting(RateLimitResponse.DescriptorStatus::getCode)
                    .containsExactly(RateLimitResponse.Code.OK, RateLimitResponse.Code.OK);
            assertThat(authorized.get(2, TimeUnit.MINUTES).getStatus().getCode())
                    .isEqualTo(Code.OK_VALUE);
            assertThat(sidecar.count("degraded")).isZero();
        });
    }

    @Test
    void descriptors_areAskedForAllAtOnce() throws Exception {
        try (SidecarOfFrozenStore sidecar = new SidecarOfFrozenStore(folder, "1s")) {
            RateLimitDescriptor[] eight = IntStream.range(0, 8)
                    .mapToObj(i -> descriptor("caller=" + i))
                    .toArray(RateLimitDescriptor[]::new);

            RateLimitResponse response = sidecar.limits().shouldRateLimit(to("central", eight));

            assertThat(response.getStatusesList())
                    .hasSize(8)
                    .extracting(RateLimitResponse.DescriptorStatus::getCode)
                    .containsOnly(RateLimitResponse.Code.OK);
            // one after the other, five would be asked before the circuit breaker opens
            await().untilAsserted(() -> assertThat(sidecar.count("timed-out")).isEqualTo(8));
        }
    }

    @Test
    void clientsThatLeave_returnTheirPermits() throws Exception {
        whileChecksWait(sidecar -> {
            Future<RateLimitResponse> cancelled = RateLimitServiceGrpc.newFutureStub(sidecar.channel())
                    .shouldRateLimit(to("central", descriptor("caller=acme")));
            try (RawHttp closed = sidecar.connect()) {
                closed.send(CHECK.formatted("globex"));
                // the connection's next call, and the next turns of the threads that read HTTP: both checks have begun
                sidecar.limits().shouldRateLimit(to("orders", descriptor("caller=initech")));
                for (int i = 0; i < 10; i++) {
                    sidecar.livez();
                }
                assertThat(sidecar.check("acme", "orders"))
                        .as("the permit is in use")
                        .isEqualTo(429);
                await("the permit in use").until(() -> sidecar.check("globex", "orders") == 429);
            }
            assertThat(cancelled.cancel(true)).isTrue();
            sidecar.resume();

            await().untilAsserted(() -> {
                assertThat(sidecar.check("acme", "orders")).isEqualTo(204);
                assertThat(sidecar.check("globex", "orders")).isEqualTo(204);
            });
        });
    }

    @Test
    void firstRequestOfAConnection_mayWaitForLongerThanItMayTakeToArrive() throws Exception {
        String body = SidecarOfFrozenStore.body("acme", "central");
        try (SidecarOfFrozenStore sidecar = new SidecarOfFrozenStore(folder, "8s");
                RawHttp json = sidecar.connectSilently();
                RawHttp withBody = sidecar.connectSilently()) {
            json.send("POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            withBody.send("POST /check HTTP/1.1\r\nHost: x\r\nX-Sluice-Service: central\r\nX-Sluice-Caller: globex\r\n"
                    + "Content-Length: 2\r\n\r\n{}");

            assertThat(json.status()).isEqualTo(200);
            assertThat(withBody.status()).isEqualTo(204);
            await().untilAsserted(() -> assertThat(sidecar.count("timed-out")).isEqualTo(2));
        }
    }

    private static CheckRequest asks(String address, String service) {
        AttributeContext.Builder attributes = AttributeContext.newBuilder().putContextExtensions("service", service);
        attributes
                .getSourceBuilder()
                .getAddressBuilder()
                .getSocketAddressBuilder()
                .setAddress(address);
        attributes.getRequestBuilder().getHttpBuilder().setMethod("GET").setPath("/");
        return CheckRequest.newBuilder().setAttributes(attributes).build();
    }
}
