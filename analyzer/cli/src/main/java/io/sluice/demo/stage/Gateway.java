package io.sluice.demo.stage;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.GateHttpFilter;
import io.sluice.contract.event.RouteNormalizer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The orders service with a gate in front of it, on the JDK's own HTTP server; {@code /health} has no gate. */
public final class Gateway implements AutoCloseable {
    /** Names the caller. A real gateway verifies the key; this one accepts every name. */
    public static final String CALLER_HEADER = "X-Api-Key";

    private static final int THREADS = 16;
    private static final int BACKLOG = 256;
    /** More than the traffic opens: above it, the server closes connections that a client may be about to use. */
    private static final int IDLE_CONNECTIONS = 1000;
    /** Longer than clients keep an idle connection: a request on one that the server closes meanwhile is lost. */
    private static final long IDLE_SECONDS = 3600;

    private final GateAgent agent;
    private final HttpServer server;
    private final ExecutorService threads;
    private final RejectionTurns turns;

    private Gateway(GateAgent agent, HttpServer server, ExecutorService threads, RejectionTurns turns) {
        this.agent = agent;
        this.server = server;
        this.threads = threads;
        this.turns = turns;
    }

    /**
     * Opens the gateway; it serves when this returns.
     *
     * @param agent closed with the gateway
     * @param address port 0 for a free one
     * @throws IOException when the port is in use
     */
    public static Gateway open(GateAgent agent, CallerExtraction caller, InetSocketAddress address) throws IOException {
        // answers are small: left to Nagle's algorithm, each would wait 40 ms for the client's delayed acknowledgement
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", Integer.toString(IDLE_CONNECTIONS));
        System.setProperty("sun.net.httpserver.idleInterval", Long.toString(IDLE_SECONDS));
        HttpServer server;
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            agent.close();
            throw new IOException(
                    "can't listen on " + address.getHostString() + ":" + address.getPort() + ": " + e.getMessage()
                            + "; choose another --port, or 0 for a free one",
                    e);
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        RejectionTurns turns = new RejectionTurns(CALLER_HEADER);
        HttpContext orders = server.createContext("/", new OrdersService());
        orders.getFilters().add(turns);
        orders.getFilters().add(new GateHttpFilter(agent, caller, new RouteNormalizer(List.of())));
        server.createContext("/health", new GatewayHealth(agent));
        server.setExecutor(threads);
        server.start();
        return new Gateway(agent, server, threads, turns);
    }

    /** Where it serves. */
    public URI uri() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Its gate. */
    public GateAgent agent() {
        return agent;
    }

    /** When it began to reject a caller, at {@code millis} or later; epoch milliseconds. */
    public OptionalLong rejectedSince(String caller, long millis) {
        return turns.firstSince(caller, millis);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        agent.close();
    }
}
