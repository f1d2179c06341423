package io.sluice.grpc;

import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A real server on loopback whose calls end as the request says, and a client of it. */
final class EchoService extends HealthGrpc.HealthImplBase implements AutoCloseable {
    static final Context.Key<String> USER = Context.key("user");
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    static final HealthCheckResponse SERVING = HealthCheckResponse.newBuilder()
            .setStatus(HealthCheckResponse.ServingStatus.SERVING)
            .build();

    private final Server server;
    private final ManagedChannel channel;

    EchoService(ServerInterceptor gate) throws IOException {
        BindableService service = this;
        server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), InsecureServerCredentials.create())
                // the last one runs first: authentication is in front of the gate
                .addService(ServerInterceptors.intercept(service, gate, new Authentication()))
                .build()
                .start();
        channel = Grpc.newChannelBuilderForAddress("127.0.0.1", server.getPort(), InsecureChannelCredentials.create())
                .build();
    }

    /** A client that sends this with each call. */
    HealthGrpc.HealthBlockingStub client(String key, String value) {
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER), value);
        return HealthGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    ManagedChannel channel() {
        return channel;
    }

    static HealthCheckRequest ending(String how) {
        return HealthCheckRequest.newBuilder().setService(how).build();
    }

    @Override
    public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> answers) {
        switch (request.getService()) {
            case "throws" -> throw new IllegalStateException("the service failed");
            case "well" -> {
                answers.onNext(SERVING);
                answers.onCompleted();
            }
            default ->
                answers.onError(
                        Status.Code.valueOf(request.getService()).toStatus().asRuntimeException());
        }
    }

    /** Three answers; then it ends, unless it was asked to go on. */
    @Override
    public void watch(HealthCheckRequest request, StreamObserver<HealthCheckResponse> answers) {
        for (int i = 0; i < 3; i++) {
            answers.onNext(SERVING);
        }
        if (!request.getService().equals("on")) {
            answers.onCompleted();
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
    }

    private static final class Validation<ReqT> extends SimpleForwardingServerCallListener<ReqT> {
        private final ServerCall<ReqT, ?> call;
        private boolean invalid;

        Validation(ServerCall.Listener<ReqT> listener, ServerCall<ReqT, ?> call) {
            super(listener);
            this.call = call;
        }

        @Override
        public void onMessage(ReqT message) {
            invalid = message.equals(ending("invalid"));
            if (invalid) {
                call.close(Status.INVALID_ARGUMENT, new Metadata());
            } else {
                super.onMessage(message);
            }
        }

        @Override
        public void onHalfClose() {
            if (!invalid) {
                super.onHalfClose();
            }
        }
    }

    /** Accepts every name, and ends calls itself whose message asks for that. */
    private static final class Authentication implements ServerInterceptor {
        @Override
        public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
                ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
            Context context = Context.current().withValue(USER, headers.get(AUTHORIZATION));
            return new Validation<>(Contexts.interceptCall(context, call, headers, next), call);
        }
    }
}
