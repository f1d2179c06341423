package io.sluice.agent.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ends of exchanges that the handler behind the gate did not answer itself. */
@Tag("server")
final class ExchangeCompletionTest {
    private static final LocalAgents AGENTS = new LocalAgents();

    // one request at a time, and one more after each that ends well
    private final GateAgent agent = AGENTS.open(
            "{'policies':[{'name':'all','per':[],'limit':{'algorithm':'concurrency','adaptive':{'min':1,'max':9}}}]}"
                    .replace('\'', '"'));
    private final Queue<HttpExchange> held = new ConcurrentLinkedQueue<>();
    private final Semaphore passed = new Semaphore(0);
    private final Socket client = new Socket();
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.stop(0);
    }

    @AfterAll
    static void closeAgents() throws Exception {
        AGENTS.close();
    }

    /** Answers with a status and no body before the gate is asked, or not at all. */
    private final class Outer extends Filter {
        private final int status;

        Outer(int status) {
            this.status = status;
        }

        @Override
        public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
            if (status > 0) {
                exchange.sendResponseHeaders(status, -1);
            }
            chain.doFilter(exchange);
            passed.release();
        }

        @Override
        public String description() {
            return "outer";
        }
    }

    /** Asks once and returns when the handler has returned. */
    private HttpExchange ask(int statusOfOuterFilter, HttpHandler handler) throws Exception {
        HttpContext context = server.createContext("/", exchange -> {
            held.add(exchange);
            handler.handle(exchange);
        });
        context.getFilters().addAll(List.of(new Outer(statusOfOuterFilter), new GateHttpFilter(agent)));
        server.start();
        client.connect(server.getAddress());
        return askAgain();
    }

    private HttpExchange askAgain() throws Exception {
        client.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(passed.tryAcquire(60, SECONDS)).isTrue();
        return held.remove();
    }

    /** Returns how many of three checks get a permit at once. */
    private long permits() {
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            verdicts.add(agent.check(agent.request("acme").build()));
        }
        verdicts.forEach(verdict -> verdict.close(Completion.IGNORED));
        return verdicts.stream().filter(Verdict::allowed).count();
    }

    @Test
    void answerOfAnOuterFilter_endsTheExchangeWhenTheHandlerReturns() throws Exception {
        HttpExchange exchange = ask(204, it -> {});
        assertThat(permits()).isPositive();
        assertThat(agent.status().logged()).isEqualTo(1);
        assertThat(exchange.getResponseCode()).isEqualTo(204);
    }

    @Test
    void answerBegunBeforeTheHandlerReturned_isInFlightUntilItIsWhole() throws Exception {
        HttpExchange exchange = ask(0, it -> it.sendResponseHeaders(200, 2));
        assertThat(permits()).isZero();
        exchange.getResponseBody().write(new byte[2]);
        assertThat(permits()).isPositive();
    }

    @Test
    void answeredExchange_endsWell_soAnAdaptiveLimitGrows() throws Exception {
        long begun = System.nanoTime();
        ask(0, it -> it.sendResponseHeaders(200, -1));
        // an answer that took as long is a sign of overload
        while (System.nanoTime() - begun >= SECONDS.toNanos(5)) {
            begun = System.nanoTime();
            askAgain();
        }
        assertThat(permits()).isEqualTo(2);
    }

    @Test
    void unansweredExchange_endsAsAServerError_fromWhichNoLimitGrows() throws Exception {
        HttpExchange exchange = ask(0, it -> {});
        assertThat(permits()).isZero();
        exchange.close();
        assertThat(permits()).isEqualTo(1);
        assertThat(agent.status().logged()).isEqualTo(1);
    }
}
