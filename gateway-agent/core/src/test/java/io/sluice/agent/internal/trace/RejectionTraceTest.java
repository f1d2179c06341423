package io.sluice.agent.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.internal.gate.FaultyStrategy;
import io.sluice.agent.verdict.Verdict;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An agent in a host that traces its requests with OpenTelemetry's own SDK. */
class RejectionTraceTest {
    // the second rejects all its callers until the agent has read the topics, which never happens here
    private static final String POLICIES = """
            {"policies":[
              {"name":"plans","per":["caller"],"limit":{"rate":"1/h","burst":1}},
              {"name":"closed","match":{"caller":"locked-*"},"per":["caller"],
               "lock":{"when":[{"above":100}],"onDegraded":"deny"}}]}""";

    private static final String CENTRAL = """
            {"policies":[{"name":"plans","per":["caller"],
              "limit":{"rate":"1/h","burst":1,"scope":"fleet","strategy":"faulty"}}]}""";

    /** How long a check waits for a central store, the longest that there is. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private final SdkTracerProvider tracing = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exported))
            .build();
    private final GateAgent agent = GateAgent.builder()
            .bootstrap("127.0.0.1:1")
            .service("orders")
            .policies(POLICIES.getBytes(StandardCharsets.UTF_8))
            .build();

    @AfterEach
    void close() {
        agent.close();
        tracing.close();
    }

    @Test
    void givenALimitWhenARequestIsTurnedAwayThenItsSpanSaysSoAndByWhom() {
        assertThat(traced("acme").allowed()).isTrue();

        Verdict second = traced("acme");

        assertThat(second.outcome().name()).isEqualTo("LIMITED");
        assertThat(attributes(1))
                .containsOnly(
                        entry("sluice.outcome", "limited"),
                        entry("sluice.reason", "limited"),
                        entry("sluice.policy", "plans"),
                        entry("sluice.retry_after", ((Verdict.Rejected) second).retryAfterMillis() / 1000.0));
        assertThat((double) attributes(1).get("sluice.retry_after")).isBetween(0.001, 5_400.0);
    }

    @Test
    void givenAClosedGateWhenARequestIsTurnedAwayThenItsSpanNamesTheLock() {
        traced("locked-acme");

        assertThat(attributes(0))
                .contains(
                        entry("sluice.outcome", "locked"),
                        entry("sluice.reason", "locked"),
                        entry("sluice.policy", "closed"));
    }

    @Test
    void givenARequestThatPassesThenItsSpanSaysNothing() {
        traced("acme");

        assertThat(attributes(0)).isEmpty();
    }

    @Test
    void givenNoSpanThenTheVerdictIsTheSame() {
        assertThat(check("acme").allowed()).isTrue();
        assertThat(check("acme").allowed()).isFalse();
        assertThat(exported.getFinishedSpanItems()).isEmpty();
    }

    @Test
    void givenACentralStoreWhenItRefusesOnItsOwnThreadThenTheSpanOfTheRequestSaysSo() {
        // on a machine that stands still, a check may end before the store answers
        while (!refusedWithinTheWait()) {
            exported.reset();
        }

        assertThat(attributes(0)).contains(entry("sluice.outcome", "limited"), entry("sluice.policy", "plans"));
    }

    /** Returns false where the store answered after the wait of the check. */
    private boolean refusedWithinTheWait() {
        FaultyStrategy store = new FaultyStrategy();
        try (GateAgent asking = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(CENTRAL.getBytes(StandardCharsets.UTF_8))
                .quotaStrategy(store)
                .quotaWait(WAIT)
                .build()) {
            asking.check(asking.request("acme").build()).close();
            store.fault = FaultyStrategy.Fault.SILENT;
            Span span = tracing.get("host").spanBuilder("GET /orders").startSpan();
            CompletionStage<Verdict> second;
            long begun = System.nanoTime();
            try (Scope current = span.makeCurrent()) {
                assertThat(current).isNotNull();
                second = asking.checkAsync(asking.request("acme").build());
            }
            // this thread has no span now, as that of a store
            store.answerLate();
            boolean inTime = System.nanoTime() - begun < WAIT.toNanos();
            boolean allowed = second.toCompletableFuture().join().allowed();
            span.end();
            assertThat(allowed && inTime).isFalse();
            return inTime;
        }
    }

    @Test
    void givenASpanThatFailsThenTheRequestIsTurnedAwayAllTheSame() {
        Span broken = (Span) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Span.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isRecording")) {
                        return true;
                    }
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    throw new NoSuchMethodError("an API of another age");
                });

        try (Scope current = broken.makeCurrent()) {
            assertThat(current).isNotNull();
            check("acme");
            assertThat(check("acme").allowed()).isFalse();
        }
        assertThat(agent.status().failures()).isZero();
    }

    private Verdict traced(String caller) {
        Span span = tracing.get("host").spanBuilder("GET /orders").startSpan();
        try (Scope current = span.makeCurrent()) {
            assertThat(current).isNotNull();
            return check(caller);
        } finally {
            span.end();
        }
    }

    private Verdict check(String caller) {
        Request request = agent.request(caller).build();
        try (Verdict verdict = agent.check(request)) {
            return verdict;
        }
    }

    /** Of the n-th span that ended. */
    private Map<String, Object> attributes(int n) {
        List<Map<String, Object>> all = exported.getFinishedSpanItems().stream()
                .map(span -> {
                    Map<String, Object> attributes = new HashMap<>();
                    span.getAttributes()
                            .forEach((AttributeKey<?> key, Object value) -> attributes.put(key.getKey(), value));
                    return attributes;
                })
                .toList();
        return all.get(n);
    }
}
