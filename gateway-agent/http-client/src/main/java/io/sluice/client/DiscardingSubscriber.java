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
 * Discards a body. A small body is read to its end, which keeps the connection usable; a large or slow one is cancelled after 64 KiB or one
 * second.
 */
final class DiscardingSubscriber<T> implements BodySubscriber<T> {
    private static final long MOST = 65_536;
    private static final long PATIENCE_SECONDS = 1;

    private final CompletableFuture<@Nullable T> end = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private long read;

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the body is never used
    public CompletionStage<T> getBody() {
        return (CompletionStage<T>) end;
    }

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
        subscription = newSubscription;
        newSubscription.request(Long.MAX_VALUE);
        // the request's timeout covers only the head of the response
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
