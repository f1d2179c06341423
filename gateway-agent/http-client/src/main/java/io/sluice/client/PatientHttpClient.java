package io.sluice.client;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An {@link HttpClient} that comes again when it was told to, and not before: what a limited client can do for the limit.
 * It stands wherever an {@code HttpClient} does. Thread-safe.
 *
 * <ul>
 *   <li>It honours {@code Retry-After}, seconds or date, and {@code RateLimit} with {@code RateLimit-Policy}, and spreads
 *       what comes after at random.
 *   <li>While a host asked to be left alone, all calls to it wait, as long as they may take, or fail with
 *       {@link HostBusyException}; the longer of several words counts.
 *   <li>Retries are bounded by attempts, by time, and by a budget for each host relative to the calls made there: a host in
 *       trouble gets a fifth more requests than usual, not a multiple.
 *   <li>Any request is sent again after 429 or 503 with {@code Retry-After}, for the host says that it did nothing; after
 *       429, 503, 502 or 504 without it and after an {@code IOException} only one that is
 *       {@linkplain RetryPolicy.Builder#repeatable repeatable}.
 * </ul>
 *
 * <p>Where it gives up, the host's last response or the last exception is the call's own. Waiting holds no thread, except
 * the caller's in {@link #send}, which can be interrupted. A quota belongs to who is charged: use one client for each
 * identity that you call with.
 */
public final class PatientHttpClient extends HttpClient {
    private final Shared shared;

    /** What all calls share. */
    record Shared(HttpClient client, RetryPolicy patience, HostStates hosts, long origin) {
        long now() {
            return System.nanoTime() - origin;
        }

        Instant wallClock() {
            return Instant.now();
        }

        double draw() {
            return ThreadLocalRandom.current().nextDouble();
        }
    }

    private PatientHttpClient(Shared shared) {
        this.shared = shared;
    }

    /** With the usual patience. */
    public static PatientHttpClient over(HttpClient client) {
        return over(client, RetryPolicy.usual());
    }

    /** @param client sends the requests, with its own settings and threads */
    public static PatientHttpClient over(HttpClient client, RetryPolicy patience) {
        return new PatientHttpClient(new Shared(client, patience, new HostStates(patience), System.nanoTime()));
    }

    /**
     * Sends, and sends again as far as patience reaches. Blocks.
     *
     * @throws HostBusyException when the host asked to be left alone for longer than the call may take
     * @throws IOException as {@link HttpClient#send}
     * @throws InterruptedException when the thread is interrupted, waiting or not; the call is cancelled then
     */
    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> response = sendAsync(request, handler);
        try {
            return response.get();
        } catch (InterruptedException e) {
            response.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IOException(e.getCause());
        }
    }

    /**
     * As {@link #send}, without blocking. Cancelling the future ends the call, a retry that waits included.
     */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return new RetryingCall<>(shared, request, handler, null).start();
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> push) {
        return new RetryingCall<>(shared, request, handler, push).start();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return shared.client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return shared.client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return shared.client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return shared.client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return shared.client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return shared.client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return shared.client.authenticator();
    }

    @Override
    public Version version() {
        return shared.client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return shared.client.executor();
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return shared.client.newWebSocketBuilder();
    }
}
