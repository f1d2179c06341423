package io.sluice.sidecar;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/** Envoy's rate limit service, version 3. */
final class RateLimitService implements BindableService {
    private final RateLimits limits;

    RateLimitService(RateLimits limits) {
        this.limits = limits;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return ServerServiceDefinition.builder(RateLimitServiceGrpc.SERVICE_NAME)
                .addMethod(
                        LenientMarshaller.requests(
                                RateLimitServiceGrpc.getShouldRateLimitMethod(),
                                RateLimitRequest.parser(),
                                RateLimitRequest.getDescriptor()),
                        ServerCalls.asyncUnaryCall(this::shouldRateLimit))
                .build();
    }

    private void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> responses) {
        try {
            DelayedResponse.send(limits.ask(request, LogMetadata.logged()), responses);
        } catch (UnreadableCheckException e) {
            responses.onError(
                    Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
        }
    }
}
