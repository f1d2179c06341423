package io.sluice.accesslogs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.agent.verdict.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service behind nginx. It asks its agent and leaves the log to nginx: a request is published once. */
final class GuardedService implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final GateAgent agent;

    GuardedService(String bootstrap) throws IOException {
        agent = GateAgent.builder().bootstrap(bootstrap).service("orders").build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /** What nginx is told to do with requests. */
    String location() {
        return "proxy_pass http://127.0.0.1:" + server.getAddress().getPort()
                + "; proxy_set_header X-Real-IP $remote_addr;";
    }

    private void serve(HttpExchange exchange) throws IOException {
        // only nginx reaches this port, so its word is good
        String caller = exchange.getRequestHeaders().getFirst("X-Real-IP");
        try (exchange;
                Verdict verdict = agent.check(agent.request(caller).ip(caller).build())) {
            exchange.sendResponseHeaders(verdict.allowed() ? 200 : 429, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        agent.close();
    }
}
