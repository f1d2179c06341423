package io.sluice.agent.http;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's own. */
record JdkServer(HttpServer server, ExecutorService threads) implements Door.Running {

    static JdkServer start(GateHttpFilter filter) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        server.setExecutor(threads);
        HttpContext context = server.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals("/fails")) {
                throw new IOException("the service failed");
            }
            byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        context.getFilters().add(filter);
        server.start();
        return new JdkServer(server, threads);
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void stop() {
        server.stop(0);
        threads.shutdownNow();
    }
}
