package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.Cluster;
import io.sluice.agent.GateAgent;
import io.sluice.agent.internal.gate.FaultyStrategy;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.kafka.embedded.EmbeddedKafka;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a request holds while it is served, and what holds it back before, behind both servers. */
@Tag("server")
final class HeldRequestsTest {
    private static final String ONE = "'algorithm':'concurrency','max':1";
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final String PACED = "'algorithm':'leaky-bucket','rate':'10/s','maxWait':'10s'";

    private GateAgent agent = agent(ONE);

    private static GateAgent agent(String limit) {
        // the port is closed: what the agent publishes stays in its queue
        return GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(policies(limit))
                .build();
    }

    private static byte[] policies(String limit) {
        return ("{'policies':[{'name':'all','per':[],'limit':{" + limit + "}}]}")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8);
    }

    private void limit(String limit) {
        agent.close();
        agent = agent(limit);
    }

    @AfterEach
    void close() {
        agent.close();
    }

    private enum Door {
        JDK {
            @Override
            void pass(GateAgent agent, Runnable service) throws Exception {
                HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
                HttpContext context = server.createContext("/", exchange -> {
                    service.run();
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
                context.getFilters().add(new GateHttpFilter(agent));
                server.start();
                URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
                try {
                    HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding());
                } finally {
                    server.stop(0);
                }
            }
        },
        SERVLET {
            @Override
            void pass(GateAgent agent, Runnable service) throws IOException, ServletException {
                new GateServletFilter(agent)
                        .doFilter(
                                container(HttpServletRequest.class),
                                container(HttpServletResponse.class),
                                (request, response) -> service.run());
            }
        };

        abstract void pass(GateAgent agent, Runnable service) throws Exception;
    }

    private static <T> T container(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "getRemoteAddr" -> "203.0.113.9";
                        case "getRequestURI" -> "/orders/1";
                        case "getMethod" -> "GET";
                        case "getHeaders" -> Collections.emptyEnumeration();
                        case "getStatus" -> 200;
                        case "isAsyncStarted", "isCommitted" -> false;
                        default -> null;
                    };
                }));
    }

    private boolean another() {
        try (Verdict verdict = agent.check(agent.request("acme").build())) {
            return verdict.allowed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRequestHoldsItsPermitWhileItIsServed(Door door) throws Exception {
        AtomicReference<Boolean> meanwhile = new AtomicReference<>(true);
        door.pass(agent, () -> meanwhile.set(another()));
        assertThat(meanwhile).hasValue(false);
        assertThat(another()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aRequestThatFailsReturnsItsPermit(Door door) {
        assertThatThrownBy(() -> door.pass(agent, () -> {
            throw new IllegalStateException("the service failed");
        }));
        assertThat(another()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aPacedRequestIsServedAtItsTurn(Door door) throws Exception {
        limit(PACED);
        long before = System.nanoTime();
        AtomicLong served = new AtomicLong();
        door.pass(agent, () -> {});
        door.pass(agent, () -> served.set(System.nanoTime()));
        // its turn is 100 ms after the first one's, whose check was later than this
        assertThat(served.get() - before).isGreaterThanOrEqualTo(100_000_000);
    }

    @ParameterizedTest
    @EnumSource
    void theWaitForACentralStore_isNotServiceTime(Door door) throws Exception {
        FaultyStrategy silent = new FaultyStrategy();
        silent.fault = FaultyStrategy.Fault.SILENT;
        String limit = "'rate':'1/h','burst':10,'scope':'fleet','strategy':'faulty'";
        try (EmbeddedKafka kafka = EmbeddedKafka.builder().start();
                Cluster cluster = new Cluster(kafka.bootstrapServers(), "held.");
                GateAgent asking = cluster.agent()
                        .policies(policies(limit))
                        .quotaStrategy(silent)
                        .quotaWait(WAIT)
                        .build()) {
            long before = System.nanoTime();
            door.pass(asking, () -> {});
            await().atMost(Duration.ofMinutes(2)).until(() -> asking.status().logged() == 1);
            long most = System.nanoTime() - before - WAIT.toNanos();

            byte[] logged = cluster.read(cluster.names.requests(), 1).get(0).value();
            assertThat(RequestEventReader.ours().read(logged).micros()).isLessThanOrEqualTo(most / 1000);
        }
    }

    @Test
    void anInterruptedRequestIsNotServedEarly() throws Exception {
        Interrupted request = interrupt();
        // on a machine that stands still its turn may have come before it asks
        while (!request.beforeItsTurn) {
            request = interrupt();
        }

        assertThat(request.thrown).isInstanceOf(InterruptedIOException.class);
        assertThat(request.again).as("still said to be interrupted").isTrue();
        assertThat(request.served).isFalse();
        assertThat(agent.status().logged()).isEqualTo(2);
    }

    /** @param again whether the thread was interrupted afterwards, too */
    private record Interrupted(Throwable thrown, boolean again, boolean served, boolean beforeItsTurn) {}

    /** Asks, on an interrupted thread, for what has its turn a minute after another request: no policy lets it wait longer. */
    private Interrupted interrupt() throws Exception {
        limit("'algorithm':'leaky-bucket','rate':'1/m','maxWait':'60s'");
        long begun = System.nanoTime();
        Door.SERVLET.pass(agent, () -> {});
        AtomicBoolean served = new AtomicBoolean();
        Thread.currentThread().interrupt();
        Throwable thrown = catchThrowable(() -> Door.SERVLET.pass(agent, () -> served.set(true)));
        boolean again = Thread.interrupted();
        return new Interrupted(thrown, again, served.get(), System.nanoTime() - begun < TimeUnit.MINUTES.toNanos(1));
    }
}
