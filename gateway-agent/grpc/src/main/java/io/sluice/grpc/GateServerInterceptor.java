package io.sluice.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.verdict.Verdict;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate for gRPC servers. One check for each call, however many messages it streams; a call that is turned away ends with
 * {@code RESOURCE_EXHAUSTED} and a {@code google.rpc.RetryInfo} before anything is decoded, and each call is logged when it
 * ended, in whatever way. Thread-safe.
 *
 * <p>A call's route is {@code /package.Service/Method} and its method {@code POST}, as it stands on the wire and in the logs of
 * proxies; its status is the HTTP status that google.rpc.Code names. Sizes are not known here and logged as 0.
 *
 * <p>Where a leaky bucket paces calls, the call's thread waits for its turn: then don't serve with {@code directExecutor()}.
 */
public final class GateServerInterceptor implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(GateServerInterceptor.class);

    private final GateAgent agent;
    private final CallerExtraction caller;
    private final Function<Context, @Nullable String> principal;

    /** Callers by the address of the connection's other end. */
    public GateServerInterceptor(GateAgent agent) {
        this(agent, CallerExtraction.address());
    }

    /**
     * Callers by address, or by a header, which is a key of the metadata.
     *
     * @param caller extracts the caller that a call is charged to
     */
    public GateServerInterceptor(GateAgent agent, CallerExtraction caller) {
        this(agent, caller, context -> null);
    }

    /**
     * @param caller extracts the caller that a call is charged to
     * @param principal the authenticated user, for callers that are principals: what an interceptor that ran before this one has left
     *     in the context, such as {@code USER::get} of a {@code Context.Key}; {@code null} for none
     * @throws IllegalArgumentException when callers come from a header that is no text key of metadata: one that ends in {@code -bin}, or
     *     {@code :authority}
     */
    public GateServerInterceptor(
            GateAgent agent, CallerExtraction caller, Function<Context, @Nullable String> principal) {
        this.agent = agent;
        this.caller = caller;
        this.principal = principal;
        caller.header().ifPresent(GateServerInterceptor::requireTextKey);
        caller.claimedWarning().ifPresent(LOG::warn);
    }

    private static void requireTextKey(String header) {
        try {
            Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "caller must name a text key of a call's metadata: letters, digits, '-', '_' and '.', not ending in -bin;"
                            + " found header:" + header,
                    e);
        }
    }

    @Override
    public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
            ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
        GatedCall passage = new GatedCall(agent, request(call, headers));
        if (passage.verdict() instanceof Verdict.Rejected rejected) {
            passage.done(Status.Code.RESOURCE_EXHAUSTED);
            RejectionStatus.close(call, rejected);
            return new ServerCall.Listener<>() {};
        }
        try {
            if (!passage.awaitTurn()) {
                call.close(
                        Status.CANCELLED.withDescription("interrupted while a leaky bucket held it back"),
                        new Metadata());
                passage.done(Status.Code.CANCELLED);
                return new ServerCall.Listener<>() {};
            }
            return new TrackedCallListener<>(next.startCall(new TrackedServerCall<>(call, passage), headers), passage);
        } catch (RuntimeException | Error e) {
            passage.done(Status.Code.UNKNOWN);
            throw e;
        }
    }

    private Request request(ServerCall<?, ?> call, Metadata headers) {
        GrpcDoor door = new GrpcDoor(call, headers, principal);
        try {
            return caller.request(door)
                    .service(agent.service())
                    .route(door.path())
                    .method(door.method())
                    .build();
        } catch (RuntimeException e) {
            // a gate that can't make sense of a call is no reason to fail it
            LOG.debug("a call could not be read", e);
            return Request.of(null).service(agent.service()).build();
        }
    }
}
