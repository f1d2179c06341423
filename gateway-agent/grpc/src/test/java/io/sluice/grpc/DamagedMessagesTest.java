package io.sluice.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Messages that are no protobuf, which gRPC itself refuses before a service sees them. */
final class DamagedMessagesTest {
    /** A field of 127 bytes, of which there is none. */
    private static final byte[] DAMAGED = {0x0A, 0x7F};

    private static final String ONE_AT_A_TIME =
            "{\"policies\":[{\"name\":\"one\",\"per\":[],\"limit\":{\"algorithm\":\"concurrency\",\"max\":1}}]}";

    private static final HealthGrpc.HealthImplBase SERVICE = new HealthGrpc.HealthImplBase() {
        @Override
        public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> answers) {
            answers.onNext(EchoService.SERVING);
            answers.onCompleted();
        }
    };

    /** Sends a message that is no protobuf, and returns how the call ended. */
    static Status.Code damaged(Channel channel) {
        MethodDescriptor.Marshaller<byte[]> bytes = new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(byte[] value) {
                return new ByteArrayInputStream(value);
            }

            @Override
            public byte[] parse(InputStream stream) {
                throw new UnsupportedOperationException();
            }
        };
        MethodDescriptor<byte[], HealthCheckResponse> method = HealthGrpc.getCheckMethod().toBuilder(
                        bytes, HealthGrpc.getCheckMethod().getResponseMarshaller())
                .build();
        try {
            ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, DAMAGED);
            return Status.Code.OK;
        } catch (RuntimeException e) {
            return Status.fromThrowable(e).getCode();
        }
    }

    @Test
    void damagedMessage_behindTheGate_endsAsWithoutIt_andHoldsNoPermit() throws Exception {
        try (GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(ONE_AT_A_TIME.getBytes(StandardCharsets.UTF_8))
                .build()) {
            Server bare = NettyServerBuilder.forAddress(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            InsecureServerCredentials.create())
                    .addService(SERVICE)
                    .build()
                    .start();
            Server gated = NettyServerBuilder.forAddress(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            InsecureServerCredentials.create())
                    .addService(ServerInterceptors.intercept(SERVICE, new GateServerInterceptor(agent)))
                    .build()
                    .start();
            ManagedChannel toBare = Grpc.newChannelBuilderForAddress(
                            "127.0.0.1", bare.getPort(), InsecureChannelCredentials.create())
                    .build();
            ManagedChannel toGated = Grpc.newChannelBuilderForAddress(
                            "127.0.0.1", gated.getPort(), InsecureChannelCredentials.create())
                    .build();
            try {
                Status.Code plain = damaged(toBare);
                // gRPC for Java ends calls whose marshaller throws with UNKNOWN, whatever it throws
                assertThat(plain).isEqualTo(Status.Code.UNKNOWN);
                assertThat(damaged(toGated)).isEqualTo(plain);
                // the call is ended on a thread of the server
                await().atMost(Duration.ofMinutes(2))
                        .untilAsserted(() -> assertThat(agent.status().logged()).isEqualTo(1));
                try (Verdict next = agent.check(Request.of("acme").build())) {
                    assertThat(next.allowed()).isTrue();
                }
                assertThat(agent.status().allowed()).isEqualTo(2);
            } finally {
                toBare.shutdownNow();
                toGated.shutdownNow();
                bare.shutdownNow();
                gated.shutdownNow();
            }
        }
    }
}
