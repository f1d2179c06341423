package io.sluice.sidecar;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.http.server.Connections;
import io.sluice.http.tls.Tls;
import io.sluice.settings.SidecarSettings.Listen;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A bounded gRPC server: so many connections and calls on each, messages of 256 KiB, metadata of 16 KiB, and {@linkplain IncompleteCalls bounds}
 * on the memory and the time of calls whose request is not complete. Services answer on the thread that read the call, so they must not block. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // daemon threads end by themselves; the futures are not needed
final class GrpcEndpoint implements AutoCloseable {
    /** Well above what Envoy takes from a client (60 KiB of headers): too much would be a failure, and open a gate that fails open. */
    private static final int MESSAGE = 256 << 10;

    private static final int CALLS = 256;

    /** Chunks of 2 MiB, as gRPC has them. */
    private static final int CHUNK_ORDER = 8;

    /** HTTP/2's own default: what a connection can send for calls that are not read. */
    private static final int WINDOW = 65_535;

    /** It would write a stack trace for every message that is refused; held, for loggers are forgotten with their levels. */
    private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty");

    private final Server server;
    private final EventLoopGroup boss;
    private final EventLoopGroup workers;

    private final Duration drain;

    private GrpcEndpoint(Server server, Duration drain, EventLoopGroup boss, EventLoopGroup workers) {
        this.server = server;
        this.drain = drain;
        this.boss = boss;
        this.workers = workers;
    }

    /**
     * Starts a server.
     *
     * @param most open connections at once
     * @param drain how long calls in flight may take to be answered once it closes
     * @param tls {@code null} for none
     * @param incomplete bounds the calls of all connections whose request has not been received completely
     * @throws IOException when it can't listen there
     */
    static GrpcEndpoint open(
            Listen listen,
            int most,
            Duration drain,
            @Nullable Tls tls,
            IncompleteCalls incomplete,
            BindableService... services)
            throws IOException {
        NETTY.setLevel(Level.SEVERE);
        EventLoopGroup boss = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("sluice-grpc-accept", true), NioIoHandler.newFactory());
        EventLoopGroup workers = new MultiThreadIoEventLoopGroup(
                0, new DefaultThreadFactory("sluice-grpc", true), NioIoHandler.newFactory());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(listen.host(), listen.port()))
                .channelFactory(() -> new BoundedServerChannel(most))
                .bossEventLoopGroup(boss)
                .workerEventLoopGroup(workers)
                .directExecutor()
                .maxConcurrentCallsPerConnection(CALLS)
                .maxInboundMessageSize(MESSAGE)
                .maxInboundMetadataSize(IncompleteCalls.METADATA)
                .flowControlWindow(WINDOW)
                .withChildOption(ChannelOption.ALLOCATOR, buffers())
                .addStreamTracerFactory(incomplete)
                .intercept(incomplete)
                .handshakeTimeout(Connections.FIRST.toSeconds(), TimeUnit.SECONDS)
                .maxConnectionIdle(5, TimeUnit.MINUTES)
                // a peer that vanished does not answer a ping
                .keepAliveTime(1, TimeUnit.MINUTES)
                .keepAliveTimeout(10, TimeUnit.SECONDS)
                .permitKeepAliveTime(10, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .intercept(new LogMetadata());
        if (tls != null) {
            builder.sslContext(secure(tls));
        }
        for (BindableService service : services) {
            builder.addService(service);
        }
        try {
            Server server = builder.build().start();
            workers.scheduleWithFixedDelay(incomplete::sweep, 1, 1, TimeUnit.SECONDS);
            return new GrpcEndpoint(server, drain, boss, workers);
        } catch (IOException e) {
            boss.shutdownGracefully();
            workers.shutdownGracefully();
            throw new IOException(
                    "sidecar.grpc: can't listen on " + listen.host() + ":" + listen.port() + ": " + e.getMessage(), e);
        }
    }

    private static SslContext secure(Tls tls) throws IOException {
        SslContextBuilder context = SslContextBuilder.forServer(Objects.requireNonNull(tls.keys()));
        if (tls.trust() != null) {
            context.trustManager(tls.trust()).clientAuth(ClientAuth.REQUIRE).sessionTimeout(Tls.NO_TICKETS_SECONDS);
        }
        return GrpcSslContexts.configure(context, SslProvider.JDK).build();
    }

    /** One arena for all threads: each keeps about as much memory as it ever used, so many of them would multiply the bound. */
    private static ByteBufAllocator buffers() {
        return new PooledByteBufAllocator(
                true,
                1,
                1,
                PooledByteBufAllocator.defaultPageSize(),
                CHUNK_ORDER,
                PooledByteBufAllocator.defaultSmallCacheSize(),
                PooledByteBufAllocator.defaultNormalCacheSize(),
                PooledByteBufAllocator.defaultUseCacheForAllThreads());
    }

    int port() {
        return server.getPort();
    }

    /** Takes no new connections and calls, answers what is in flight, and ends. */
    @Override
    public void close() {
        try {
            server.shutdown();
            if (!server.awaitTermination(drain.toMillis(), TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        boss.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        workers.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
