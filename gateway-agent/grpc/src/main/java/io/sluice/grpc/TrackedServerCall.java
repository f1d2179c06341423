package io.sluice.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/** Observes how the service ends a call. */
final class TrackedServerCall<ReqT, RespT> extends SimpleForwardingServerCall<ReqT, RespT> {
    private final GatedCall passage;

    TrackedServerCall(ServerCall<ReqT, RespT> call, GatedCall passage) {
        super(call);
        this.passage = passage;
    }

    @Override
    public void close(Status status, Metadata trailers) {
        // before the client gets the answer: when it comes again at once, its permit is back
        passage.done(status.getCode());
        super.close(status, trailers);
    }
}
