package io.sluice.sidecar;

import com.google.rpc.Code;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption.HeaderAppendAction;
import io.envoyproxy.envoy.service.auth.v3.AuthorizationGrpc;
import io.envoyproxy.envoy.service.auth.v3.CheckRequest;
import io.envoyproxy.envoy.service.auth.v3.CheckResponse;
import io.envoyproxy.envoy.service.auth.v3.DeniedHttpResponse;
import io.envoyproxy.envoy.service.auth.v3.OkHttpResponse;
import io.envoyproxy.envoy.type.v3.HttpStatus;
import io.envoyproxy.envoy.type.v3.StatusCode;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.sluice.agent.http.HttpSignals;
import io.sluice.agent.verdict.Verdict;
import java.nio.charset.StandardCharsets;

/** Envoy's external authorization, version 3. A reject status that Envoy has no name for becomes 429. */
final class AuthorizationService implements BindableService {
    private final CheckService checks;
    private final AttributeReader reader;
    private final HttpSignals signals = HttpSignals.standard();
    private final StatusCode rejectStatus;

    AuthorizationService(CheckService checks, AttributeReader reader) {
        this.checks = checks;
        this.reader = reader;
        StatusCode named = StatusCode.forNumber(checks.rejectStatus());
        this.rejectStatus = named == null ? StatusCode.TooManyRequests : named;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return ServerServiceDefinition.builder(AuthorizationGrpc.SERVICE_NAME)
                .addMethod(
                        LenientMarshaller.requests(
                                AuthorizationGrpc.getCheckMethod(),
                                CheckRequest.parser(),
                                CheckRequest.getDescriptor()),
                        ServerCalls.asyncUnaryCall(this::check))
                .build();
    }

    private void check(CheckRequest request, StreamObserver<CheckResponse> responses) {
        try {
            Check check = new Check(reader.read(request.getAttributes()), 1, false, LogMetadata.logged());
            DelayedResponse.send(checks.ask(check).thenApply(this::response), responses);
        } catch (UnreadableCheckException e) {
            responses.onError(
                    Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
        }
    }

    private DelayedResponse<CheckResponse> response(Verdict verdict) {
        CheckResponse response = verdict instanceof Verdict.Rejected rejected ? denied(rejected) : allowed(verdict);
        return new DelayedResponse<>(response, verdict.delayNanos());
    }

    private CheckResponse allowed(Verdict verdict) {
        OkHttpResponse.Builder ok = OkHttpResponse.newBuilder();
        for (HttpSignals.Field field : signals.fields(verdict)) {
            ok.addResponseHeadersToAdd(header(field.name(), field.value()));
        }
        return CheckResponse.newBuilder()
                .setStatus(com.google.rpc.Status.newBuilder().setCode(Code.OK_VALUE))
                .setOkResponse(ok)
                .build();
    }

    private CheckResponse denied(Verdict.Rejected rejected) {
        byte[] body = HttpSignals.body(rejected, rejectStatus.getNumber());
        DeniedHttpResponse.Builder denied = DeniedHttpResponse.newBuilder()
                .setStatus(HttpStatus.newBuilder().setCode(rejectStatus))
                .addHeaders(header("Content-Type", HttpSignals.PROBLEM))
                .setBody(new String(body, StandardCharsets.UTF_8));
        for (HttpSignals.Field field : signals.fields(rejected)) {
            denied.addHeaders(header(field.name(), field.value()));
        }
        return CheckResponse.newBuilder()
                .setStatus(com.google.rpc.Status.newBuilder().setCode(Code.RESOURCE_EXHAUSTED_VALUE))
                .setDeniedResponse(denied)
                .build();
    }

    private static HeaderValueOption header(String name, String value) {
        return HeaderValueOption.newBuilder()
                .setHeader(HeaderValue.newBuilder().setKey(name).setValue(value))
                .setAppendAction(HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD)
                .build();
    }
}
