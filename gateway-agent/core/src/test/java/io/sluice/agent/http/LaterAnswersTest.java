package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import io.sluice.agent.GateAgent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers of the JDK's server that return at once, and answer later from another thread. */
@Tag("server")
final class LaterAnswersTest {
    private static final String ONE_IN_FLIGHT =
            "{\"policies\":[{\"name\":\"all\",\"per\":[]," + "\"limit\":{\"algorithm\":\"concurrency\",\"max\":1}}]}";
    private static final LocalAgents AGENTS = new LocalAgents();

    private final GateAgent agent = AGENTS.open(ONE_IN_FLIGHT);
    private final Queue<HttpExchange> waiting = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final List<Socket> clients = new ArrayList<>();
    private HttpServer server;

    @AfterEach
    void stop() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
        server.stop(0);
        threads.shutdownNow();
    }

    @AfterAll
    static void closeAgents() throws Exception {
        AGENTS.close();
    }

    private void serve(HttpServer open) {
        server = open;
        server.setExecutor(threads);
        server.createContext("/", waiting::add).getFilters().add(new GateHttpFilter(agent));
        server.start();
    }

    private void serve() throws IOException {
        serve(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    private Socket ask() throws IOException {
        return ask(
                new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort()));
    }

    private Socket ask(Socket client) throws IOException {
        client.setSoTimeout(120_000);
        clients.add(client);
        client.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    private HttpExchange handed() {
        await().until(() -> !waiting.isEmpty());
        return waiting.remove();
    }

    private void awaitEnded() {
        await().untilAsserted(() -> {
            assertThat(agent.status().logged()).isEqualTo(1);
            assertThat(agent.check(agent.request("acme").build()).allowed()).isTrue();
        });
    }

    private interface Rest {
        void answer(HttpExchange exchange) throws IOException;
    }

    private enum Answer implements Rest {
        CLOSED_BODY {
            @Override
            public void answer(HttpExchange exchange) throws IOException {
                exchange.sendResponseHeaders(200, 0);
                try (OutputStream body = exchange.getResponseBody()) {
                    body.write(1);
                }
            }
        },
        WHOLE_BODY {
            @Override
            public void answer(HttpExchange exchange) throws IOException {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write(new byte[2]);
            }
        },
        NO_BODY {
            @Override
            public void answer(HttpExchange exchange) throws IOException {
                exchange.sendResponseHeaders(204, -1);
            }
        },
        CLOSED_EXCHANGE {
            @Override
            public void answer(HttpExchange exchange) throws IOException {
                exchange.sendResponseHeaders(200, 5);
                exchange.close();
            }
        },
        NOTHING {
            @Override
            public void answer(HttpExchange exchange) {
                exchange.close();
            }
        }
    }

    @Test
    void requestsWhoseAnswersAreOutstanding_areInFlight() throws Exception {
        serve();
        ask();
        HttpExchange first = handed();
        for (int i = 0; i < 7; i++) {
            assertThat(new String(ask().getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 429");
        }
        assertThat(waiting).isEmpty();

        Answer.NO_BODY.answer(first);
        await().untilAsserted(() -> assertThat(agent.status().logged()).isEqualTo(8));
        ask();
        assertThat(handed()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void requestIsInFlightUntilItsAnswerIsComplete(Answer answer) throws Exception {
        serve();
        ask();
        HttpExchange exchange = handed();
        assertThat(agent.check(agent.request("acme").build()).allowed()).isFalse();
        assertThat(agent.status().logged()).isZero();

        answer.answer(exchange);

        awaitEnded();
    }

    @Test
    void exchangeThatIsLost_givesItsPermitBackOnceItIsCollected() throws Exception {
        serve();
        ask();
        await().until(() -> !waiting.isEmpty());
        waiting.clear();

        await().until(() -> {
            System.gc();
            return agent.status().logged() == 1;
        });
        awaitEnded();
    }

    @Test
    void overTls_handlerStillGetsItsSession(@TempDir Path folder) throws Exception {
        SSLContext tls = context(folder.resolve("keys"));
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(tls));
        serve(https);
        SSLSocket client = (SSLSocket) tls.getSocketFactory()
                .createSocket(
                        InetAddress.getLoopbackAddress(), server.getAddress().getPort());
        ask(client);

        HttpExchange exchange = handed();

        assertThat(exchange).isInstanceOf(HttpsExchange.class);
        assertThat(((HttpsExchange) exchange).getSSLSession().getCipherSuite())
                .isEqualTo(client.getSession().getCipherSuite());
        Answer.NO_BODY.answer(exchange);
        awaitEnded();
    }

    private static SSLContext context(Path keys) throws Exception {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process made = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "a",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        keys.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(made.waitFor())
                .as(new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, "changeit".toCharArray());
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(store, "changeit".toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }
}
