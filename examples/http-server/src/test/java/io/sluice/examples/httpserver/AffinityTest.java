package io.sluice.examples.httpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.testing.FreePort;
import io.sluice.testing.NeededProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances with limits of their own behind routers that send a caller always to the same one. */
@Tag("server")
class AffinityTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CALLERS = 30;
    private static final int LIMIT = 3;
    private static final byte[] POLICIES =
            ("{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":" + LIMIT
                            + "}}]}")
                    .getBytes(StandardCharsets.UTF_8);

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<GateAgent> agents = new ArrayList<>();
    private final List<HttpServer> instances = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeEach
    void startInstances() throws IOException {
        for (int i = 0; i < 3; i++) {
            GateAgent agent = GateAgent.builder()
                    .bootstrap("127.0.0.1:1")
                    .service("orders")
                    .policies(POLICIES)
                    .build();
            agents.add(agent);
            instances.add(OrdersServer.start(agent, 0));
        }
    }

    @AfterEach
    void stopInstances() {
        instances.forEach(instance -> instance.stop(0));
        agents.forEach(GateAgent::close);
    }

    /** An instance that is gone refuses connections: one that answers late, as a busy machine does, is there. */
    private static HttpServer router(List<String> instances) throws IOException {
        return AffinityRouter.start(instances, 0, PATIENCE, PATIENCE);
    }

    private List<String> addresses() {
        return instances.stream()
                .map(instance -> "127.0.0.1:" + instance.getAddress().getPort())
                .toList();
    }

    @Test
    void nginx_keepsCallersAtOneInstance() throws Exception {
        Path nginx = NeededProgram.find("nginx", "nginx", Path.of("/usr/sbin"));
        int port = FreePort.next();
        String settings = Files.readString(Path.of("../../examples/http-server/affinity.conf"))
                .replace("127.0.0.1:8080", "127.0.0.1:" + port);
        for (int i = 0; i < instances.size(); i++) {
            settings = settings.replace("127.0.0.1:" + (8082 + i), addresses().get(i));
        }
        Files.writeString(folder.resolve("affinity.conf"), settings);
        Process process = new ProcessBuilder(
                        nginx.toString(), "-p", folder + "/", "-c", "affinity.conf", "-e", "stderr")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.log").toFile())
                .start();
        try {
            while (!listens(port)) {
                assertThat(process.isAlive())
                        .as(Files.readString(folder.resolve("nginx.log")))
                        .isTrue();
                Thread.onSpinWait();
            }
            callersStay_andOnlyThoseOfAnInstanceThatGoesMove(port);
        } finally {
            // SIGTERM: the master ends its workers
            process.destroy();
            process.waitFor();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    @Test
    @Tag("full")
    void rendezvousHash_keepsCallersAtOneInstance() throws Exception {
        HttpServer router = router(addresses());
        try {
            callersStay_andOnlyThoseOfAnInstanceThatGoesMove(router.getAddress().getPort());
        } finally {
            router.stop(0);
        }
    }

    @Test
    void requestThatMayHaveBeenServed_isNotRepeated() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        for (HttpServer instance : instances) {
            instance.removeContext("/orders");
            instance.createContext("/orders", exchange -> {
                asked.incrementAndGet();
                exchange.close(); // without an answer
            });
        }
        HttpServer router = router(addresses());
        try {
            URI orders = URI.create("http://127.0.0.1:" + router.getAddress().getPort() + "/orders");
            HttpRequest order = HttpRequest.newBuilder(orders)
                    .POST(BodyPublishers.ofString("one book"))
                    .build();

            // on a machine that stands still, a connection may fail before the order is on its way
            while (asked.get() == 0) {
                assertThat(client.send(order, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(502);
            }
            assertThat(asked).hasValue(1);
        } finally {
            router.stop(0);
        }
    }

    @Tag("full")
    @Test
    void clientThatHangsUp_isServedByOneInstanceOnly() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch hungUp = new CountDownLatch(1);
        List<HttpServer> counting = List.of(counting(asked, hungUp), counting(asked, hungUp));
        HttpServer router = router(counting.stream()
                .map(instance -> "127.0.0.1:" + instance.getAddress().getPort())
                .toList());
        try {
            int port = router.getAddress().getPort();
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.getOutputStream()
                        .write("GET /orders HTTP/1.1\r\nHost: x\r\nX-Api-Key: a\r\n\r\n"
                                .getBytes(StandardCharsets.UTF_8));
                await().atMost(Duration.ofMinutes(2)).until(() -> asked.get() == 1);
                client.setSoLinger(true, 0);
            }
            hungUp.countDown();

            // the router has one thread: with this answer, the former request has ended
            HttpRequest next = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
                    .build();
            assertThat(client.send(next, BodyHandlers.ofByteArray()).statusCode())
                    .isEqualTo(200);
            assertThat(asked).hasValue(2);
        } finally {
            router.stop(0);
            counting.forEach(instance -> instance.stop(0));
        }
    }

    /** An instance whose answers are too large for the buffers of a connection. */
    private static HttpServer counting(AtomicInteger asked, CountDownLatch hungUp) throws IOException {
        HttpServer instance = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        instance.createContext("/", exchange -> {
            asked.incrementAndGet();
            byte[] large = new byte[16 << 20];
            try (exchange) {
                hungUp.await();
                exchange.sendResponseHeaders(200, large.length);
                exchange.getResponseBody().write(large);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        instance.start();
        return instance;
    }

    private void callersStay_andOnlyThoseOfAnInstanceThatGoesMove(int port) throws Exception {
        for (int caller = 0; caller < CALLERS; caller++) {
            assertThat(admitted(port, caller))
                    .as("requests of caller %s", caller)
                    .isEqualTo(LIMIT);
        }
        assertThat(agents)
                .allSatisfy(agent -> assertThat(agent.status().gates()).isPositive());
        assertThat(agents.stream().mapToLong(agent -> agent.status().gates()).sum())
                .isEqualTo(CALLERS);
        long ofTheFirst = agents.get(0).status().gates();

        instances.get(0).stop(0);

        Set<Integer> moved = new HashSet<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            int admitted = admitted(port, caller);
            assertThat(admitted).as("requests of caller %s", caller).isIn(0, LIMIT);
            if (admitted > 0) {
                moved.add(caller);
            }
        }
        // each has found a full bucket elsewhere; the others have stayed with their empty one
        assertThat(moved).hasSize((int) ofTheFirst);
    }

    /** Returns how many of twice as many requests as the limit allows are admitted. */
    private int admitted(int port, int caller) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
                .header("X-Api-Key", "key-" + caller)
                .build();
        int admitted = 0;
        for (int i = 0; i < 2 * LIMIT; i++) {
            int status = client.send(request, BodyHandlers.discarding()).statusCode();
            assertThat(status).isIn(200, 429);
            admitted += status == 200 ? 1 : 0;
        }
        return admitted;
    }
}
