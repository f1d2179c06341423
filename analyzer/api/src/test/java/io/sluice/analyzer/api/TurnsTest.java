package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.http.server.HttpEndpoint;
import io.sluice.settings.HttpSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Components;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Attributes;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real server whose requests are worked on by another executor. */
class TurnsTest {
    private static final String TOKEN = "0123456789abcdef";

    private final Semaphore turns = new Semaphore(2);

    /** The components of a request, with another executor. */
    private record WithExecutor(Components of, Executor executor) implements Components {
        @Override
        public ByteBufferPool getByteBufferPool() {
            return of.getByteBufferPool();
        }

        @Override
        public Scheduler getScheduler() {
            return of.getScheduler();
        }

        @Override
        @SuppressWarnings({"removal", "deprecation"}) // the interface still has it
        public ThreadPool getThreadPool() {
            return of.getThreadPool();
        }

        @Override
        public Executor getExecutor() {
            return executor;
        }

        @Override
        public Attributes getCache() {
            return of.getCache();
        }
    }

    private static Request on(Executor executor, Request request) {
        return new Request.Wrapper(request) {
            @Override
            public Components getComponents() {
                return new WithExecutor(super.getComponents(), executor);
            }
        };
    }

    private HttpResponse<String> ask(Executor executor) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Request received = on(executor, request);
                Turns.take(turns, "busy", received, JsonExchange.refusal(response, callback), () -> {
                    response.setStatus(200);
                    callback.succeeded();
                });
                return true;
            }
        });
        server.start();
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + connector.getLocalPort()))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        } finally {
            server.stop();
        }
    }

    @Test
    void executorThatIsShutDown_answers503AndKeepsNoTurn() throws Exception {
        ExecutorService ended = Executors.newSingleThreadExecutor();
        ended.shutdownNow();

        HttpResponse<String> refused = ask(ended);

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("the analyzer ends");
        assertThat(turns.availablePermits()).isEqualTo(2);
        assertThat(ask(Runnable::run).statusCode()).isEqualTo(200);
    }

    /** The first request has the turn until its work is run, which fails here. */
    @ParameterizedTest
    @CsvSource({
        "/api/v1/policies/trial, another replay is running; try again in a few seconds",
        "/api/v1/locks/p/acme, too many requests at once"
    })
    void requestWithoutATurn_orWhoseWorkFails_getsAnErrorOfTheApi(String path, String busy) throws Exception {
        HttpSettings settings = new HttpSettings("127.0.0.1", 0, Path.of("token"), true, List.of());
        Semaphore one = new Semaphore(1);
        ApiRoutes routes = new ApiRoutes(
                Guards.of(settings, TOKEN, Users.of(TOKEN), ""),
                new ApiRoutes.Endpoints(null, null, null, null, new ReplayEndpoint(null)),
                new SharedAnswers(one, System::nanoTime),
                one);
        BlockingQueue<Runnable> begun = new LinkedBlockingQueue<>();
        try (HttpEndpoint server = HttpEndpoint.open(
                "127.0.0.1",
                0,
                HttpEndpoint.Bounds.of(10),
                "test-turns",
                (request, response, callback) -> routes.answer(on(begun::add, request), response, callback))) {
            HttpRequest change = HttpRequest.newBuilder(URI.create(server.uri() + path))
                    .header("Authorization", "Bearer " + TOKEN)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            HttpClient client = HttpClient.newHttpClient();
            CompletableFuture<HttpResponse<String>> first =
                    client.sendAsync(change, HttpResponse.BodyHandlers.ofString());
            Runnable work = begun.poll(2, TimeUnit.MINUTES);

            HttpResponse<String> second = client.send(change, HttpResponse.BodyHandlers.ofString());

            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.body()).isEqualTo("{\"error\":\"" + busy + "\"}");
            assertThat(second.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(second.headers().firstValue("Retry-After")).contains("1");
            work.run();
            assertThat(first.get(2, TimeUnit.MINUTES).statusCode()).isEqualTo(500);
            assertThat(first.get().body()).isEqualTo("{\"error\":\"the request could not be answered\"}");
        }
    }
}
