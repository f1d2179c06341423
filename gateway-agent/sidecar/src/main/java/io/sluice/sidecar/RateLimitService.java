package io.sluice.sidecar;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

/** Envoy's rate limit service, version 3. */
final class RateLimitService extends RateLimitServiceGrpc.RateLimitServiceImplBase {
    private final RateLimits limits;

    RateLimitService(RateLimits limits) {
        this.limits = limits;
    }

    @Override
    public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> responses) {
        try {
            DelayedResponse.send(limits.ask(request, LogMetadata.logged()), responses);
        } catch (UnreadableCheckException e) {
            responses.onError(
                    Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
        }
    }
}
