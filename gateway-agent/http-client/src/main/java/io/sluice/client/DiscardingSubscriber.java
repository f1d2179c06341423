package io.sluice.client;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A body that nobody will see. A small one is read to its end, which leaves the connection usable; of one that is large
 * or slow the rest is not waited for.
 */
final class DiscardingSubscriber<T> implements BodySubscriber<T> {
    private static final long MOST = 65_536;
    private static final long PATIENCE_SECONDS = 1;

    private final CompletableFuture<@Nullable T> end = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private long read;

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the body is nobody's
    public CompletionStage<T> getBody() {
        return (CompletionStage<T>) end;
    }

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
        subscription = newSubscription;
        newSubscription.request(Long.MAX_VALUE);
        // the request's own time limit ends with the response's head
        CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS).execute(() -> {
            if (!end.isDone()) {
                newSubscription.cancel();
                end.complete(null);
            }
        });
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            read += buffer.remaining();
        }
        if (read > MOST && subscription != null) {
            subscription.cancel();
            end.complete(null);
        }
    }

    @Override
    public void onError(Throwable failure) {
        end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        end.complete(null);
    }
}
