package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
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

/** A real server whose requests are worked on by another executor. */
class TurnsTest {
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

    private HttpResponse<String> ask(Executor executor) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Request received = new Request.Wrapper(request) {
                    @Override
                    public Components getComponents() {
                        return new WithExecutor(super.getComponents(), executor);
                    }
                };
                Turns.take(turns, received, response, callback, () -> {
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
}
