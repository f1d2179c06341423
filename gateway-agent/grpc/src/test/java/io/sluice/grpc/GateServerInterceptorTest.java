package io.sluice.grpc;

import static io.sluice.grpc.EchoService.ending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.StatusProto;
import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.contract.event.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real server and client on loopback. No broker: local limits need none. */
@Tag("server")
final class GateServerInterceptorTest {
    private static final String ONE_EACH = "{'name':'plans','per':['caller'],'limit':{'rate':'1/h','burst':1}}";
    private static final String ONE_AT_A_TIME =
            "{'name':'slots','per':['caller'],'limit':{'algorithm':'concurrency','max':1}}";
    private static final CallerExtraction HEADER =
            CallerExtraction.of("header:x-api-key", Identity.AUTHENTICATED, List.of(), 64);
    private static final List<Thread> CLOSING = new ArrayList<>();

    private GateAgent agent;
    private EchoService service;

    private void serve(String policy, CallerExtraction caller) throws IOException {
        agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(("{'policies':[" + policy + "]}").replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .build();
        service = new EchoService(new GateServerInterceptor(agent, caller, context -> EchoService.USER.get(context)));
    }

    @AfterEach
    void close() {
        if (service != null) {
            service.close();
        }
        // each waits a second for the broker that isn't there: they do so together
        Thread closing = new Thread(agent::close);
        closing.start();
        CLOSING.add(closing);
    }

    @AfterAll
    static void awaitClosed() throws InterruptedException {
        for (Thread closing : CLOSING) {
            closing.join();
        }
    }

    private static StatusRuntimeException rejected(HealthGrpc.HealthBlockingStub client) {
        return catchThrowableOfType(StatusRuntimeException.class, () -> client.check(ending("well")));
    }

    private static boolean served(HealthGrpc.HealthBlockingStub client) {
        try {
            return client.check(ending("well")).equals(EchoService.SERVING);
        } catch (StatusRuntimeException e) {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-bin", ":authority", "x y"})
    void headerThatIsNoTextKeyOfMetadata_isRefusedAtStart(String name) {
        CallerExtraction caller = CallerExtraction.of("header:" + name, null, List.of(), 64);

        assertThatThrownBy(() -> serve(ONE_EACH, caller))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("header:" + name);
    }

    @Test
    void givenACallerThatIsOverThenItIsToldWhenToComeAgain() throws Exception {
        serve(ONE_EACH, HEADER);
        assertThat(served(service.client("x-api-key", "acme"))).isTrue();

        StatusRuntimeException rejected = rejected(service.client("x-api-key", "acme"));

        assertThat(rejected.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(rejected.getStatus().getDescription()).isEqualTo("quota exceeded (policy plans)");
        assertThat(retryDelay(rejected)).isBetween(Duration.ofMinutes(50), Duration.ofMinutes(61));
        assertThat(served(service.client("x-api-key", "globex"))).isTrue();
        assertThat(agent.status().rejections()).isEqualTo(1);
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(agent.status().logged()).isEqualTo(3));
    }

    private static Duration retryDelay(StatusRuntimeException rejected) throws InvalidProtocolBufferException {
        com.google.rpc.Status status = StatusProto.fromThrowable(rejected);
        assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED.value());
        assertThat(status.getDetailsList()).hasSize(1);
        Any detail = status.getDetails(0);
        com.google.protobuf.Duration delay = detail.unpack(RetryInfo.class).getRetryDelay();
        return Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
    }

    @Test
    void givenCallersByAddressThenTwoClientsOfOneHostAreOne() throws Exception {
        serve(ONE_EACH, CallerExtraction.address());
        assertThat(served(service.client("x-api-key", "acme"))).isTrue();
        assertThat(served(service.client("x-api-key", "globex"))).isFalse();
    }

    @Test
    void givenCallersByPrincipalThenTheContextTellsThem() throws Exception {
        serve(ONE_EACH, CallerExtraction.of("principal", null, List.of(), 64));
        assertThat(served(service.client("authorization", "acme"))).isTrue();
        assertThat(served(service.client("authorization", "globex"))).isTrue();
        assertThat(served(service.client("authorization", "acme"))).isFalse();
    }

    @Test
    void givenAPrincipalThatCanNotBeToldThenTheCallIsServed() throws Exception {
        serve(ONE_EACH, HEADER);
        service.close();
        service = new EchoService(
                new GateServerInterceptor(agent, CallerExtraction.of("principal", null, List.of(), 64), context -> {
                    throw new IllegalStateException("no principal");
                }));
        assertThat(served(service.client("x-api-key", "acme"))).isTrue();
    }

    @Test
    void givenAMethodOfItsOwnPolicyThenTheRouteIsWhatStandsOnTheWire() throws Exception {
        serve(
                "{'name':'checks','match':{'route':'/grpc.health.v1.Health/Check','method':'POST','service':'orders'},"
                        + "'per':[],'limit':{'rate':'1/h','burst':1}}",
                HEADER);
        HealthGrpc.HealthBlockingStub client = service.client("x-api-key", "acme");
        assertThat(served(client)).isTrue();
        assertThat(served(client)).isFalse();
        assertThat(all(client.watch(ending("three")))).hasSize(3);
    }

    @Test
    void givenAStreamThenItIsOneCallAndHoldsItsPermitUntilItIsGivenUp() throws Exception {
        serve(ONE_AT_A_TIME, HEADER);
        HealthGrpc.HealthBlockingStub client = service.client("x-api-key", "acme");
        Context.CancellableContext patience = Context.current().withCancellation();
        Iterator<HealthCheckResponse> answers = patience.call(() -> client.watch(ending("on")));
        assertThat(answers.next()).isEqualTo(EchoService.SERVING);
        assertThat(served(client)).isFalse();
        assertThat(agent.status().checks()).isEqualTo(2);

        patience.cancel(null);

        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(served(client)).isTrue());
    }

    @Test
    void givenAServiceThatThrowsThenItsPermitIsBack() throws Exception {
        serve(ONE_AT_A_TIME, HEADER);
        HealthGrpc.HealthBlockingStub client = service.client("x-api-key", "acme");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> client.check(ending("throws")))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN));
        }
        assertThat(served(client)).isTrue();
    }

    @Test
    void givenAPacedCallThenItIsServedAtItsTurn() throws Exception {
        serve("{'name':'paced','per':[],'limit':{'algorithm':'leaky-bucket','rate':'10/s','maxWait':'10s'}}", HEADER);
        HealthGrpc.HealthBlockingStub client = service.client("x-api-key", "acme");
        long before = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            assertThat(served(client)).isTrue();
        }
        // the third one's turn is 200 ms after the first one's, whose check was later than this
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(200_000_000);
    }

    private static List<HealthCheckResponse> all(Iterator<HealthCheckResponse> answers) {
        List<HealthCheckResponse> all = new ArrayList<>();
        answers.forEachRemaining(all::add);
        return all;
    }
}
