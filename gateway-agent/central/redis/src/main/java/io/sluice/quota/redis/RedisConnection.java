package io.sluice.quota.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection to Redis, made by the first call and made again as often as it breaks. No call is sent twice: what was under way when a
 * connection broke fails. While there is no connection, calls fail at once. Thread-safe.
 */
final class RedisConnection implements AutoCloseable {
    private static final Duration RETRY = Duration.ofMillis(100);
    private static final int THREADS = 2;
    private static final long CLOSE_MILLIS = 2_000;

    private final ClientResources resources;
    private final RedisClient client;
    private final RedisURI uri;
    private @Nullable CompletableFuture<RedisScriptingAsyncCommands<String, String>> connection;
    private long retryAt;
    private boolean closed;

    RedisConnection(RedisSettings settings) {
        uri = settings.uri();
        resources = ClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .reconnectDelay(Delay.constant(RETRY))
                .build();
        client = RedisClient.create(resources, uri);
        client.setOptions(options(settings));
    }

    private static ClientOptions options(RedisSettings settings) {
        return ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                // a correction that is applied twice would return permits that were used
                .replayFilter(command -> true)
                .requestQueueSize(settings.maxInFlight())
                .timeoutOptions(TimeoutOptions.enabled(settings.timeout()))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(settings.timeout())
                        .keepAlive(true)
                        .build())
                .build();
    }

    /** Returns the commands, once there is a connection; fails when there was none a moment ago. */
    synchronized CompletableFuture<RedisScriptingAsyncCommands<String, String>> commands() {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException("the connection to Redis is closed"));
        }
        if (connection == null || (connection.isCompletedExceptionally() && System.nanoTime() - retryAt >= 0)) {
            retryAt = System.nanoTime() + RETRY.toNanos();
            connection = connect();
        }
        return connection;
    }

    private CompletableFuture<RedisScriptingAsyncCommands<String, String>> connect() {
        return client.connectAsync(StringCodec.UTF8, uri)
                .toCompletableFuture()
                .thenApply(StatefulRedisConnection::async);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        client.shutdownAsync(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .thenCompose(done -> {
                    CompletableFuture<Void> ended = new CompletableFuture<>();
                    resources
                            .shutdown(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                            .addListener(future -> ended.complete(null));
                    return ended;
                })
                .completeOnTimeout(null, 2 * CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(failure -> null)
                .join();
    }
}
