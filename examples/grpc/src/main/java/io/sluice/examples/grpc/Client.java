package io.sluice.examples.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Optional;

/** Calls the server as fast as it answers, for a minute or until it is told to stay away, and says for how long. */
public final class Client implements AutoCloseable {
    private static final Metadata.Key<String> API_KEY = Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER);
    private static final long MOST_NANOS = Duration.ofMinutes(1).toNanos();

    private final ManagedChannel channel;

    Client(int port) {
        channel = Grpc.newChannelBuilderForAddress("127.0.0.1", port, InsecureChannelCredentials.create())
                .build();
    }

    /** Calls as the caller that the argument names, {@code acme} unless said. */
    public static void main(String[] args) throws Exception {
        String caller = args.length > 0 ? args[0] : "acme";
        try (Client client = new Client(8084)) {
            Optional<Duration> later = Optional.empty();
            int calls = 0;
            for (long begin = System.nanoTime(); later.isEmpty() && System.nanoTime() - begin < MOST_NANOS; calls++) {
                later = client.call(caller);
            }
            System.out.println(caller + ": call " + calls
                    + (later.isPresent() ? " was rejected, to come again in " + later.get() : " was served, too"));
        }
    }

    /**
     * Calls once.
     *
     * @return empty when it was served, else when to come again
     */
    Optional<Duration> call(String caller) throws InvalidProtocolBufferException {
        Metadata metadata = new Metadata();
        metadata.put(API_KEY, caller);
        try {
            HealthGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
                    .check(HealthCheckRequest.getDefaultInstance());
            return Optional.empty();
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED) {
                throw e;
            }
            return Optional.of(retryDelay(e));
        }
    }

    private static Duration retryDelay(StatusRuntimeException rejected) throws InvalidProtocolBufferException {
        com.google.rpc.Status status = StatusProto.fromThrowable(rejected);
        if (status != null) {
            for (Any detail : status.getDetailsList()) {
                if (detail.is(RetryInfo.class)) {
                    com.google.protobuf.Duration delay =
                            detail.unpack(RetryInfo.class).getRetryDelay();
                    return Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
                }
            }
        }
        throw rejected;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
