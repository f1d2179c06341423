package io.sluice.grpc;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ServerCall;
import io.grpc.Status;

/** Observes cancellations by the client, services that throw instead of ending a call, and calls that an outer interceptor ends. */
final class TrackedCallListener<ReqT> extends SimpleForwardingServerCallListener<ReqT> {
    private final GatedCall passage;

    TrackedCallListener(ServerCall.Listener<ReqT> listener, GatedCall passage) {
        super(listener);
        this.passage = passage;
    }

    @Override
    public void onMessage(ReqT message) {
        guarded(() -> super.onMessage(message));
    }

    @Override
    public void onHalfClose() {
        guarded(super::onHalfClose);
    }

    @Override
    public void onReady() {
        guarded(super::onReady);
    }

    @Override
    public void onCancel() {
        passage.done(Status.Code.CANCELLED);
        super.onCancel();
    }

    @Override
    public void onComplete() {
        // an interceptor in front of the gate may have ended the call, with a code that is not known here
        passage.done(Status.Code.UNKNOWN);
        super.onComplete();
    }

    /** gRPC ends a call whose listener throws, past the call that the service was given. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            passage.done(Status.Code.UNKNOWN);
            throw e;
        }
    }
}
