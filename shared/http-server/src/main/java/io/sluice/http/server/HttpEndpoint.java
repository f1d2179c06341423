package io.sluice.http.server;

import io.sluice.http.tls.Tls;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A bounded HTTP/1.1 server: so many connections, headers of 16 KiB, no client that can hold it by being slow, and an end that
 * answers what is in flight. A message that breaks RFC 9112 is refused. Handlers answer on the thread that read the request, so they must not block. Thread-safe.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final int HEADERS = 16 << 10;
    private static final int BACKLOG = 1024;
    private static final int THREADS = 64;

    private final Server server;
    private final ServerConnector connector;
    private final Scheduler scheduler;
    private final Connections connections;
    private final String scheme;

    /** Whatever answers requests; it never blocks. */
    @FunctionalInterface
    public interface Answers {
        /** Answers one request; the callback is completed once the response is. */
        void answer(Request request, Response response, Callback callback) throws Exception;
    }

    /**
     * Bounds of a server.
     *
     * @param connections most open connections at once
     * @param drain how long a request in flight, and an idle connection, may take to end once the server is being stopped
     */
    public record Bounds(int connections, Duration drain) {
        /** Bounds of a server that ends at once. */
        public static Bounds of(int connections) {
            return new Bounds(connections, Duration.ofMillis(200));
        }
    }

    private HttpEndpoint(String host, int port, Bounds bounds, String name, @Nullable Tls tls, Answers answers) {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS);
        threads.setName(name);
        threads.setDaemon(true);
        server = new Server(threads);
        connector = new ServerConnector(server, 1, -1, factories(tls));
        scheme = tls == null ? "http" : "https";
        connections = new Connections(bounds.connections, new RunningClock(System::nanoTime));
        connector.setHost(host);
        connector.setPort(port);
        connector.setAcceptQueueSize(BACKLOG);
        // only a net below ours, which counts whole requests instead of bytes
        connector.setIdleTimeout(2 * Connections.NEXT.toMillis());
        connector.setShutdownIdleTimeout(bounds.drain.toMillis());
        connector.addBean(connections);
        server.addConnector(connector);
        server.setHandler(new GracefulHandler(new Answering(answers, connections)));
        server.setErrorHandler((request, response, callback) -> {
            // Jetty's own page shows internals
            Responses.problem(response, callback, response.getStatus(), HttpStatus.getMessage(response.getStatus()));
            return true;
        });
        // what waits for the end of an idle connection has to wait longer than that takes
        server.setStopTimeout(bounds.drain.plusSeconds(1).toMillis());
        scheduler = connector.getScheduler();
    }

    private static ConnectionFactory[] factories(@Nullable Tls tls) {
        HttpConnectionFactory http = new HttpConnectionFactory(configuration());
        if (tls == null) {
            return new ConnectionFactory[] {http};
        }
        SslContextFactory.Server secure = new SslContextFactory.Server();
        secure.setSslContext(tls.context());
        secure.setNeedClientAuth(tls.trust() != null);
        return new ConnectionFactory[] {new SslConnectionFactory(secure, http.getProtocol()), http};
    }

    private static HttpConfiguration configuration() {
        HttpConfiguration http = new HttpConfiguration();
        // a server in front that reads a message otherwise than this one lets clients smuggle headers: RFC 9112,
        // section 11.2
        http.setHttpCompliance(HttpCompliance.STRICT);
        http.setRequestHeaderSize(HEADERS);
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        // paths are names here and no files are behind them: a proxy's client may write them as it likes
        http.setUriCompliance(UriCompliance.UNSAFE);
        return http;
    }

    /**
     * Starts a server.
     *
     * @param host a name or an address, an IPv6 one without brackets
     * @param port 0 for a free one
     * @param name of its threads
     * @throws IOException when it can't listen there
     */
    public static HttpEndpoint open(String host, int port, Bounds bounds, String name, Answers answers)
            throws IOException {
        return open(host, port, bounds, name, null, answers);
    }

    /**
     * Starts a server with TLS.
     *
     * @param tls {@code null} for none; with authorities, clients need a certificate of theirs
     */
    public static HttpEndpoint open(
            String host, int port, Bounds bounds, String name, @Nullable Tls tls, Answers answers) throws IOException {
        HttpEndpoint endpoint = new HttpEndpoint(host, port, bounds, name, tls, answers);
        try {
            endpoint.server.start();
        } catch (Exception e) {
            endpoint.close();
            throw new IOException("can't listen on " + host + ":" + port + ": " + e.getMessage(), e);
        }
        endpoint.sweepLater();
        return endpoint;
    }

    private void sweepLater() {
        scheduler.schedule(
                () -> {
                    connections.sweep();
                    if (server.isRunning()) {
                        sweepLater();
                    }
                },
                1,
                TimeUnit.SECONDS);
    }

    /** Where it listens. */
    public URI uri() {
        String host = connector.getHost();
        return URI.create(
                scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + connector.getLocalPort());
    }

    /** Takes no new connections and requests, answers what is in flight, and ends. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (TimeoutException e) {
            // it has ended all the same: requests without an answer stay without one
            return;
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server did not end", e);
        }
    }

    /** Answers on the reading thread, and notes that a request was asked; its body, if it has one, may be still to come. */
    private static final class Answering extends Handler.Abstract.NonBlocking {
        private final Answers answers;
        private final Connections connections;

        Answering(Answers answers, Connections connections) {
            this.answers = answers;
            this.connections = connections;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            Connection connection = request.getConnectionMetaData().getConnection();
            boolean more = request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
            if (!more) {
                connections.asked(connection);
            }
            answers.answer(
                    request, response, more ? Callback.from(callback, () -> connections.asked(connection)) : callback);
            return true;
        }
    }
}
