package io.sluice.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A call and its retries: wait until the host is open, send, evaluate the answer, repeat. No thread waits meanwhile; the JDK's timer thread
 * starts the next step.
 */
final class RetryingCall<T> {
    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final long NO_RETRY = -1;

    private final PatientHttpClient.Shared shared;
    private final RetryPolicy policy;
    private final HttpClient client;
    private final HttpRequest request;
    private final BodyHandler<T> handler;
    private final @Nullable PushPromiseHandler<T> push;
    private final HostState host;
    private final long deadline;
    private final CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
    /** Until when a host behind redirects asked for a pause: which host it is, only its response says. */
    private volatile long elsewhereUntil;

    private final AtomicLong retryIn = new AtomicLong(NO_RETRY);
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicBoolean waits = new AtomicBoolean();
    private volatile @Nullable CompletableFuture<HttpResponse<T>> underWay;

    RetryingCall(
            PatientHttpClient.Shared shared,
            HttpRequest request,
            BodyHandler<T> handler,
            @Nullable PushPromiseHandler<T> push) {
        this.shared = shared;
        this.policy = shared.policy();
        this.client = shared.client();
        this.request = request;
        this.handler = handler;
        this.push = push;
        long now = shared.now();
        this.host = shared.hosts().enter(request.uri(), now);
        this.deadline = now + policy.within().toNanos();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the caller has the same future
    CompletableFuture<HttpResponse<T>> start() {
        result.whenComplete((response, failure) -> ended());
        next();
        return result;
    }

    private void ended() {
        stopWaiting();
        host.leave(shared.now());
        CompletableFuture<HttpResponse<T>> current = underWay;
        if (current != null) {
            current.cancel(true);
        }
    }

    /** Sends, or waits until the host is open. Runs again after each wait, because the host may have asked for another pause. */
    private void next() {
        if (result.isDone()) {
            return;
        }
        long now = shared.now();
        long closed = host.closedFor(now);
        long room = deadline - now - closed;
        if (closed == 0 && room > 0) {
            send(room);
        } else if (room <= 0 || policy.failFast() || !startWaiting()) {
            result.completeExceptionally(new HostBusyException(host.name(), Duration.ofNanos(closed), sent.get()));
        } else {
            pause(policy.wait(closed, Math.max(1, sent.get()), room, shared.draw()));
        }
    }

    /** Takes a slot among the waiting calls of the host; false when there is none left. */
    private boolean startWaiting() {
        if (!host.startWaiting()) {
            return false;
        }
        waits.set(true);
        if (result.isDone()) {
            // cancelled meanwhile
            stopWaiting();
        }
        return true;
    }

    private void stopWaiting() {
        if (waits.compareAndSet(true, false)) {
            host.stopWaiting();
        }
    }

    private void pause(long nanos) {
        Executor executor = client.executor().orElse(ForkJoinPool.commonPool());
        Executor later = CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, step -> {
            stopWaiting();
            try {
                executor.execute(step);
            } catch (RejectedExecutionException e) {
                result.completeExceptionally(e);
            }
        });
        later.execute(this::next);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // answered() is the next step
    private void send(long room) {
        if (sent.getAndIncrement() == 0) {
            host.budget().called();
        }
        retryIn.set(NO_RETRY);
        elsewhereUntil = 0;
        try {
            CompletableFuture<HttpResponse<T>> current = client.sendAsync(bounded(room), this::received, push);
            underWay = current;
            if (result.isDone()) {
                current.cancel(true);
            }
            current.whenComplete(this::answered);
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    /** Returns the request with the rest of the call's time as its timeout. */
    private HttpRequest bounded(long room) {
        Duration left = Duration.ofNanos(room);
        if (request.timeout().filter(own -> own.compareTo(left) <= 0).isPresent()) {
            return request;
        }
        return HttpRequest.newBuilder(request, (name, value) -> true)
                .timeout(left)
                .build();
    }

    /** Decides by the head of the response, before its body: the body of a response that will be retried is discarded. */
    private HttpResponse.BodySubscriber<T> received(HttpResponse.ResponseInfo head) {
        int status = head.statusCode();
        RetryAdvice advice = RetryAdvice.of(status, head.headers(), shared.wallClock());
        boolean turnedAway = RetryAdvice.turnedAway(status);
        long told = turnedAway || policy.heedsRemaining() ? advice.nanos() : 0;
        long now = shared.now();
        long until = now + Math.min(told, policy.mostPause().toNanos());
        // behind a redirect another request was turned away, by another host perhaps, and the first one was handled
        boolean direct = client.followRedirects() == HttpClient.Redirect.NEVER;
        if (direct) {
            host.close(until);
        } else {
            elsewhereUntil = until;
        }
        boolean unhandled = turnedAway && advice.retryAfter() && direct;
        boolean unknown = turnedAway || status == BAD_GATEWAY || status == GATEWAY_TIMEOUT;
        boolean may = unhandled || (unknown && policy.repeatable().test(request));
        return may && plans(told, now) ? new DiscardingSubscriber<>() : handler.apply(head);
    }

    /** Reserves a retry in the budget and a slot among the waiting calls, if time allows. */
    private boolean plans(long told, long now) {
        long wait = Math.max(told, host.closedFor(now));
        long room = deadline - now - wait;
        boolean fails = policy.failFast() && wait > 0;
        if (sent.get() >= policy.attempts() || room <= 0 || fails || !startWaiting()) {
            return false;
        }
        if (!host.budget().withdraw()) {
            stopWaiting();
            return false;
        }
        retryIn.set(policy.wait(wait, sent.get(), room, shared.draw()));
        return true;
    }

    private void answered(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
        try {
            if (response != null) {
                pauseHostOf(response);
            }
            decide(response, failure);
        } catch (RuntimeException | Error e) {
            // such as of the caller's own predicate
            result.completeExceptionally(e);
        }
    }

    private void pauseHostOf(HttpResponse<T> response) {
        long until = elsewhereUntil;
        long now = shared.now();
        if (until > now) {
            HostState answered = shared.hosts().enter(response.uri(), now);
            answered.close(until);
            answered.leave(now);
        }
    }

    private void decide(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean unanswered = cause instanceof IOException && retryIn.get() == NO_RETRY && !result.isDone();
        if (unanswered && policy.repeatable().test(request)) {
            plans(0, shared.now());
        }
        long wait = retryIn.get();
        if (wait != NO_RETRY) {
            pause(wait);
        } else if (cause != null) {
            result.completeExceptionally(cause);
        } else {
            result.complete(response);
        }
    }
}
