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
 * An {@link HttpClient} that retries when the server allows it, and not before. It replaces any {@code HttpClient}. Thread-safe.
 *
 * <ul>
 *   <li>It honours {@code Retry-After}, in seconds or as a date, and {@code RateLimit} with {@code RateLimit-Policy}, and adds random jitter.
 *   <li>While a host asks for a pause, all calls to it wait as long as their time allows, or fail with {@link HostBusyException}. Of several
 *       pauses the longest counts.
 *   <li>Retries are bounded by attempts, by time, and by a budget per host relative to its calls: a host in trouble gets a fifth more requests
 *       than usual, not a multiple.
 *   <li>Any request is retried after 429 or 503 with {@code Retry-After}, because the host did not handle it. After 429, 503, 502 or 504 without
 *       it, and after an {@code IOException}, only {@linkplain RetryPolicy.Builder#repeatable repeatable} requests are retried; so always where the
 *       client follows redirects, behind which another request was turned away.
 * </ul>
 *
 * <p>When it gives up, the call ends with the host's last response or the last exception. Waiting holds no thread, except the caller's in
 * {@link #send}, which can be interrupted. Quotas belong to callers: use one client per identity.
 *
 * <p>Several clients can send through one {@code HttpClient}, so none closes it: {@code close} and {@code shutdown} of Java 21 do nothing here. Close
 * the client that was given to {@link #over(HttpClient)} when its calls have ended.
 */
public final class PatientHttpClient extends HttpClient {
    private final Shared shared;

    /** The state that all calls share. */
    record Shared(HttpClient client, RetryPolicy policy, HostStates hosts, long origin) {
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

    /**
     * Returns a client with the default policy.
     *
     * @param client sends the requests, with its own settings and threads
     * @return a client
     */
    public static PatientHttpClient over(HttpClient client) {
        return over(client, RetryPolicy.usual());
    }

    /**
     * Returns a client with a policy.
     *
     * @param client sends the requests, with its own settings and threads
     * @param policy when to retry
     * @return a client
     */
    public static PatientHttpClient over(HttpClient client, RetryPolicy policy) {
        return new PatientHttpClient(new Shared(client, policy, new HostStates(policy), System.nanoTime()));
    }

    /**
     * Sends a request and retries as far as the policy allows. Blocks.
     *
     * @throws HostBusyException when the host asked for a pause longer than the call may take
     * @throws IOException as {@link HttpClient#send}
     * @throws InterruptedException when the thread is interrupted; the call is cancelled then
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

    /** Sends as {@link #send}, without blocking. Cancelling the future ends the call and any pending retry. */
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
