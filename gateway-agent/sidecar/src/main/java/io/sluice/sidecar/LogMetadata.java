package io.sluice.sidecar;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.List;

/** Reads {@link Check#LOG} from a call's metadata. */
final class LogMetadata implements ServerInterceptor {
    private static final Metadata.Key<String> KEY = Metadata.Key.of(Check.LOG, Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<Boolean> LOGGED = Context.keyWithDefault(Check.LOG, true);

    /** Returns whether the call at hand goes into the access log. */
    static boolean logged() {
        return LOGGED.get();
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
        Iterable<String> values = metadata.getAll(KEY);
        try {
            boolean logged = Check.logged(values == null ? List.of() : values);
            return Contexts.interceptCall(Context.current().withValue(LOGGED, logged), call, metadata, next);
        } catch (UnreadableCheckException e) {
            call.close(Status.INVALID_ARGUMENT.withDescription(e.getMessage()), new Metadata());
            return new ServerCall.Listener<>() {};
        }
    }
}
