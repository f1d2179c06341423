package io.sluice.faults.host;

import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.GateHttpFilter;
import io.sluice.contract.event.RouteNormalizer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * A small HTTP service that can do so much and no more, with an agent in front: {@code POLICIES SLOTS MILLIS}. As many requests
 * as there are slots are served at a time, for so many milliseconds each; the others wait. There is no Kafka.
 */
public final class GuardedServiceMain {
    private static final int THREADS = 64;
    private static final int OK = 200;

    private GuardedServiceMain() {}

    public static void main(String[] arguments) throws IOException {
        GateAgent agent = GateAgent.builder()
                // the port is closed
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(Path.of(arguments[0]))
                .build();
        Semaphore slots = new Semaphore(Integer.parseInt(arguments[1]), true);
        long nanos = Duration.ofMillis(Long.parseLong(arguments[2])).toNanos();
        // otherwise it closes idle connections, and a request on one that its client is about to use is lost
        System.setProperty("sun.net.httpserver.maxIdleConnections", "5000");
        System.setProperty("sun.net.httpserver.idleInterval", "3600");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
                    serve(slots, nanos);
                    exchange.sendResponseHeaders(OK, -1);
                    exchange.close();
                })
                .getFilters()
                .add(new GateHttpFilter(
                        agent,
                        CallerExtraction.of("header:X-Api-Key", null, List.of(), 64),
                        new RouteNormalizer(List.of())));
        server.start();
        System.out.println(HostMain.REPLY + "port=" + server.getAddress().getPort());
        System.out.flush();
        while (System.in.read() >= 0) {
            // nothing is ever said; only the end counts
        }
        Runtime.getRuntime().halt(1);
    }

    private static void serve(Semaphore slots, long nanos) {
        slots.acquireUninterruptibly();
        try {
            long end = System.nanoTime() + nanos;
            for (long left = nanos; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        } finally {
            slots.release();
        }
    }
}
