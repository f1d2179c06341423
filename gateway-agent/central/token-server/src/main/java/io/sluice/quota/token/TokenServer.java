package io.sluice.quota.token;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.quota.token.TokenMessages.Charges;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/**
 * A token server as a client sees it: up, or down from a refused call or three late ones in a row until a probe is answered. Thread-safe.
 */
final class TokenServer {
    private static final int LATE = 3;

    private final ManagedChannel channel;
    private final long timeoutMillis;
    private final AtomicInteger late = new AtomicInteger();
    private volatile boolean down;
    // another server was asked in its place: its buckets do not know what that one granted
    private volatile boolean replaced;
    private volatile long downSince;

    TokenServer(String address, TokenServerSettings settings) {
        timeoutMillis = settings.timeoutMillis();
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget(target(address))
                .directExecutor()
                .keepAliveTime(30, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS);
        if (settings.tls()) {
            secure(builder, settings);
        } else {
            builder.usePlaintext();
        }
        channel = builder.build();
    }

    /** Returns the address as gRPC names it: brackets of an IPv6 address are encoded in a path. */
    private static String target(String address) {
        try {
            return new URI("dns", "", "/" + address, null).toString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("agent.quota.token-server.servers: found " + address, e);
        }
    }

    private static void secure(NettyChannelBuilder builder, TokenServerSettings settings) {
        SslContextBuilder context = GrpcSslContexts.forClient();
        if (settings.authorities() != null) {
            context.trustManager(settings.authorities());
        }
        if (settings.certificate() != null && settings.key() != null) {
            context.keyManager(settings.certificate(), settings.key());
        }
        try {
            builder.sslContext(context.build());
        } catch (SSLException e) {
            throw new IllegalArgumentException("agent.quota.token-server.tls: " + e.getMessage(), e);
        }
    }

    boolean down() {
        return down;
    }

    long downSince() {
        return downSince;
    }

    void replaced() {
        replaced = true;
    }

    CompletableFuture<QuotaAnswer> call(MethodDescriptor<Charges, QuotaAnswer> method, Charges charges) {
        CompletableFuture<QuotaAnswer> answer = new CompletableFuture<>();
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeoutMillis, TimeUnit.MILLISECONDS);
        ClientCalls.asyncUnaryCall(channel.newCall(method, options), charges, new StreamObserver<>() {
            @Override
            public void onNext(QuotaAnswer value) {
                late.set(0);
                answer.complete(value);
            }

            @Override
            public void onError(Throwable failure) {
                judge(failure);
                answer.completeExceptionally(failure);
            }

            @Override
            public void onCompleted() {
                answer.completeExceptionally(new IllegalStateException("the token server sent no answer"));
            }
        });
        return answer;
    }

    private void judge(Throwable failure) {
        boolean gone = unavailable(failure);
        if (gone
                || (Status.fromThrowable(failure).getCode() == Status.Code.DEADLINE_EXCEEDED
                        && late.incrementAndGet() >= LATE)) {
            if (!down) {
                downSince = System.nanoTime();
            }
            down = true;
        }
    }

    /** Returns whether nothing listens there, or the connection broke. */
    static boolean unavailable(Throwable failure) {
        return Status.fromThrowable(failure).getCode() == Status.Code.UNAVAILABLE;
    }

    /** Tries a server that is down. */
    void probe() {
        if (down) {
            boolean rejoins = replaced;
            // gRPC itself would wait for up to two minutes
            channel.resetConnectBackoff();
            CompletableFuture<Void> unused = call(rejoins ? TokenMessages.REJOIN : TokenMessages.ACQUIRE, Charges.NONE)
                    .thenAccept(answer -> {
                        if (rejoins || !replaced) {
                            replaced = false;
                            down = false;
                        }
                    });
        }
    }

    void close() {
        channel.shutdownNow();
    }
}
