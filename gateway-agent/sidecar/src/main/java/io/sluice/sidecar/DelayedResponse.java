package io.sluice.sidecar;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A response and its delay.
 *
 * @param delayNanos how long to hold the response back, nanoseconds: a leaky bucket's delay, 0 for a rejection
 */
record DelayedResponse<R>(R response, long delayNanos) {
    private static final Logger LOG = LoggerFactory.getLogger(DelayedResponse.class);

    /** Ends a unary call, now or once the response is complete and its delay is over. A call that was cancelled in the meantime gets none. */
    static <R> void send(CompletionStage<DelayedResponse<R>> pending, StreamObserver<R> call) {
        var unused = pending.whenComplete((delayed, error) -> {
            if (delayed == null) {
                LOG.warn("a call could not be answered", error);
                call.onError(Status.INTERNAL
                        .withDescription("the request could not be answered")
                        .asRuntimeException());
            } else {
                CheckService.inTurn(delayed.delayNanos, () -> {
                    call.onNext(delayed.response);
                    call.onCompleted();
                });
            }
        });
    }
}
