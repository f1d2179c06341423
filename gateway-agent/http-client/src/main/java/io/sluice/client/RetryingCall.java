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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One call and its retries, a step after the other: wait until the host is open, send, look at the answer, and perhaps
 * again. No thread waits meanwhile; the JDK's one timer thread starts the next step.
 */
final class RetryingCall<T> {
    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final long NO_RETRY = -1;

    private final PatientHttpClient.Shared shared;
    private final RetryPolicy patience;
    private final HttpClient client;
    private final HttpRequest request;
    private final BodyHandler<T> handler;
    private final @Nullable PushPromiseHandler<T> push;
    private final HostState host;
    private final long deadline;
    private final CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
    private final AtomicLong retryIn = new AtomicLong(NO_RETRY);
    private final AtomicInteger sent = new AtomicInteger();
    private volatile @Nullable CompletableFuture<HttpResponse<T>> underWay;

    RetryingCall(
            PatientHttpClient.Shared shared,
            HttpRequest request,
            BodyHandler<T> handler,
            @Nullable PushPromiseHandler<T> push) {
        this.shared = shared;
        this.patience = shared.patience();
        this.client = shared.client();
        this.request = request;
        this.handler = handler;
        this.push = push;
        long now = shared.now();
        this.host = shared.hosts().enter(request.uri(), now);
        this.deadline = now + patience.within().toNanos();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the end is told to the caller by the same future
    CompletableFuture<HttpResponse<T>> start() {
        result.whenComplete((response, failure) -> ended());
        next();
        return result;
    }

    private void ended() {
        host.leave(shared.now());
        CompletableFuture<HttpResponse<T>> current = underWay;
        if (current != null) {
            current.cancel(true);
        }
    }

    /** Sends, or waits until the host is open; comes here again after each wait, for it may have been closed anew. */
    private void next() {
        if (result.isDone()) {
            return;
        }
        long now = shared.now();
        long closed = host.closedFor(now);
        long room = deadline - now - closed;
        if (closed == 0 && room > 0) {
            send(room);
        } else if (room <= 0 || patience.failFast() || !host.startWaiting()) {
            result.completeExceptionally(new HostBusyException(host.name(), Duration.ofNanos(closed), sent.get()));
        } else {
            pause(patience.wait(closed, Math.max(1, sent.get()), room, shared.draw()));
        }
    }

    private void pause(long nanos) {
        Executor executor = client.executor().orElse(ForkJoinPool.commonPool());
        Executor later = CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, step -> {
            host.stopWaiting();
            try {
                executor.execute(step);
            } catch (RejectedExecutionException e) {
                result.completeExceptionally(e);
            }
        });
        later.execute(this::next);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // its end is where the next step begins
    private void send(long room) {
        if (sent.getAndIncrement() == 0) {
            host.budget().called();
        }
        retryIn.set(NO_RETRY);
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

    /** The request, to be answered within what is left of the call's time. */
    private HttpRequest bounded(long room) {
        Duration left = Duration.ofNanos(room);
        if (request.timeout().filter(own -> own.compareTo(left) <= 0).isPresent()) {
            return request;
        }
        return HttpRequest.newBuilder(request, (name, value) -> true)
                .timeout(left)
                .build();
    }

    /** Decides by the response's head, before its body: a body that nobody will see is thrown away. */
    private HttpResponse.BodySubscriber<T> received(HttpResponse.ResponseInfo head) {
        int status = head.statusCode();
        RetryAdvice advice = RetryAdvice.of(status, head.headers(), shared.wallClock());
        boolean turnedAway = RetryAdvice.turnedAway(status);
        long told = turnedAway || patience.heedsRemaining() ? advice.nanos() : 0;
        long now = shared.now();
        host.close(now + Math.min(told, patience.mostPause().toNanos()));
        boolean unhandled = turnedAway && advice.retryAfter();
        boolean unknown = turnedAway || status == BAD_GATEWAY || status == GATEWAY_TIMEOUT;
        boolean may = unhandled || (unknown && patience.repeatable().test(request));
        return may && plans(told, now) ? new DiscardingSubscriber<>() : handler.apply(head);
    }

    /** Takes a retry out of the budget and a place in the queue, if there is time for it. */
    private boolean plans(long told, long now) {
        long wait = Math.max(told, host.closedFor(now));
        long room = deadline - now - wait;
        boolean fails = patience.failFast() && wait > 0;
        if (sent.get() >= patience.attempts() || room <= 0 || fails || !host.startWaiting()) {
            return false;
        }
        if (!host.budget().withdraw()) {
            host.stopWaiting();
            return false;
        }
        retryIn.set(patience.wait(wait, sent.get(), room, shared.draw()));
        return true;
    }

    private void answered(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean unanswered = cause instanceof IOException && retryIn.get() == NO_RETRY && !result.isDone();
        if (unanswered && patience.repeatable().test(request)) {
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
