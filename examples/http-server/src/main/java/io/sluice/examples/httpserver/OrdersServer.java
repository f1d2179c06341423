package io.sluice.examples.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.GateHttpFilter;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RouteNormalizer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The service on the JDK's server. */
public final class OrdersServer {
    private static final byte[] ANSWER = "your orders\n".getBytes(StandardCharsets.UTF_8);

    private OrdersServer() {}

    /** Serves on port 8082 until it is ended; an argument says where Kafka is, else it is {@code 127.0.0.1:9092}. */
    public static void main(String[] args) throws IOException {
        String kafka = args.length > 0 ? args[0] : "127.0.0.1:9092";
        GateAgent agent = GateAgent.builder().bootstrap(kafka).service("orders").build();
        HttpServer server = start(agent, 8082);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.stop(1);
            agent.close();
        }));
        System.out.println("http://127.0.0.1:8082/orders");
    }

    static HttpServer start(GateAgent agent, int port) throws IOException {
        // without it the JDK's server delays each answer on a kept connection by 40 ms; read when its first class is
        // loaded
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        HttpContext orders = server.createContext("/orders", exchange -> {
            exchange.sendResponseHeaders(200, ANSWER.length);
            exchange.getResponseBody().write(ANSWER);
            exchange.close();
        });
        // AUTHENTICATED takes the header's word: say so only when something in front has checked the key
        CallerExtraction caller = CallerExtraction.of("header:X-Api-Key", Identity.AUTHENTICATED, List.of(), 64);
        orders.getFilters().add(new GateHttpFilter(agent, caller, new RouteNormalizer(List.of())));
        server.start();
        return server;
    }
}
