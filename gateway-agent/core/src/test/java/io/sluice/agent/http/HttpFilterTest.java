package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RouteNormalizer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same behaviour behind both servers, over real sockets. No broker: local limits need none. */
final class HttpFilterTest {
    private static final String POLICIES = "{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],"
            + "\"limit\":{\"rate\":\"1/m\",\"burst\":2}},"
            + "{\"name\":\"logins\",\"match\":{\"route\":\"/login/{id}\"},\"per\":[],\"limit\":{\"rate\":\"1/m\",\"burst\":1}}]}";

    private enum Door {
        JDK,
        SERVLET
    }

    private final HttpClient client = HttpClient.newHttpClient();
    private GateAgent agent;
    private Running running;

    private interface Running {
        int port();

        void stop() throws Exception;
    }

    @BeforeEach
    void startAgent() {
        // nobody listens there: what the agent publishes stays in its queue
        agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(POLICIES.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        if (running != null) {
            running.stop();
        }
        agent.close();
    }

    private void serve(Door door) throws Exception {
        CallerExtraction caller = CallerExtraction.of("header:X-Api-Key", Identity.AUTHENTICATED, List.of(), 64);
        RouteNormalizer routes = new RouteNormalizer(List.of());
        running = door == Door.JDK ? jdk(caller, routes) : jetty(caller, routes);
    }

    private Running jdk(CallerExtraction caller, RouteNormalizer routes) throws IOException {
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
        context.getFilters().add(new GateHttpFilter(agent, caller, routes));
        server.start();
        return new Running() {
            @Override
            public int port() {
                return server.getAddress().getPort();
            }

            @Override
            public void stop() {
                server.stop(0);
                threads.shutdownNow();
            }
        };
    }

    private Running jetty(CallerExtraction caller, RouteNormalizer routes) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        FilterHolder filter = new FilterHolder(new GateServletFilter(agent, caller, routes));
        filter.setAsyncSupported(true);
        context.addFilter(filter, "/*", EnumSet.allOf(DispatcherType.class));
        ServletHolder servlet = new ServletHolder(new Hello());
        servlet.setAsyncSupported(true);
        context.addServlet(servlet, "/*");
        server.setHandler(context);
        server.start();
        return new Running() {
            @Override
            public int port() {
                return connector.getLocalPort();
            }

            @Override
            public void stop() throws Exception {
                server.stop();
            }
        };
    }

    private static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals("/fails")) {
                throw new IOException("the service failed");
            }
            if (request.getRequestURI().equals("/async")) {
                AsyncContext later = request.startAsync();
                later.start(() -> {
                    try {
                        response.getOutputStream().print("later");
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    } finally {
                        later.complete();
                    }
                });
                return;
            }
            response.setContentLength(5);
            response.getOutputStream().print("hello");
        }
    }

    private HttpResponse<String> get(String path, String caller) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port() + path))
                .header("X-Api-Key", caller)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private void awaitLogged(long requests) {
        await().untilAsserted(() -> assertThat(agent.status().logged()).isEqualTo(requests));
    }

    @ParameterizedTest
    @EnumSource(Door.class)
    void whatPassesIsServedAndSaysWhatRemains(Door door) throws Exception {
        serve(door);
        HttpResponse<String> response = get("/orders/17", "acme");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("hello");
        assertThat(response.headers().firstValue("RateLimit-Policy")).contains("\"plans\";q=2;w=120");
        assertThat(response.headers().firstValue("RateLimit")).contains("\"plans\";r=1;t=60");
        awaitLogged(1);
    }

    @ParameterizedTest
    @EnumSource(Door.class)
    void whatIsOverIsToldHowLongAndWhy(Door door) throws Exception {
        serve(door);
        get("/a", "acme");
        get("/b", "acme");
        HttpResponse<String> response = get("/c", "acme");
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(Integer.parseInt(response.headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(50, 60);
        assertThat(response.headers().firstValue("RateLimit").orElseThrow()).startsWith("\"plans\";r=0;t=");
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body()).contains("#quota-exceeded", "\"violated-policies\":[\"plans\"]");
        assertThat(get("/c", "bolt").statusCode()).isEqualTo(200);
        awaitLogged(4);
        assertThat(agent.status().rejections()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Door.class)
    void routesAreNormalisedBeforeTheyAreMatched(Door door) throws Exception {
        serve(door);
        assertThat(get("/login/1?token=secret", "a").statusCode()).isEqualTo(200);
        assertThat(get("/login/2", "b").statusCode()).isEqualTo(429);
    }

    @ParameterizedTest
    @EnumSource(Door.class)
    void aServiceThatFailsIsLoggedToo(Door door) throws Exception {
        serve(door);
        // the JDK's server closes the connection without an answer, and a client proper would try again
        String answer = raw("GET /fails HTTP/1.1\r\nHost: h\r\nX-Api-Key: acme\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith(door == Door.JDK ? "" : "HTTP/1.1 500");
        awaitLogged(1);
    }

    @ParameterizedTest
    @EnumSource(Door.class)
    void nothingAClientWroteComesBack(Door door) throws Exception {
        serve(door);
        String hostile = "\"><script>x</script>";
        String answer = "";
        for (int i = 0; i < 3; i++) {
            answer = raw("GET /%3Cscript%3E?Set-Cookie:a=b HTTP/1.1\r\nHost: h\r\nX-Api-Key: " + hostile
                    + "\r\nConnection: close\r\n\r\n");
        }
        assertThat(answer).startsWith("HTTP/1.1 429").doesNotContain("script").doesNotContain("Set-Cookie");
    }

    @ParameterizedTest
    @EnumSource(Door.class)
    void aRejectedHeadSaysTheSameWithoutABody(Door door) throws Exception {
        serve(door);
        get("/a", "acme");
        get("/a", "acme");
        String answer = raw("HEAD /a HTTP/1.1\r\nHost: h\r\nX-Api-Key: acme\r\nConnection: close\r\n\r\n");
        assertThat(answer)
                .startsWith("HTTP/1.1 429")
                .containsIgnoringCase("Retry-After: ")
                .containsIgnoringCase("RateLimit: \"plans\";r=0;t=")
                .doesNotContain("quota-exceeded");
        awaitLogged(3);
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                    .lines()
                    .collect(Collectors.joining("\n"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SERVLET")
    void anAsynchronousRequestIsCheckedAndLoggedOnce(Door door) throws Exception {
        serve(door);
        assertThat(get("/async", "acme").body()).isEqualTo("later");
        awaitLogged(1);
        assertThat(agent.status().checks()).isEqualTo(1);
    }
}
