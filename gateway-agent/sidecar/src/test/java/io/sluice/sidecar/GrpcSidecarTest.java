package io.sluice.sidecar;

import static io.sluice.sidecar.DescriptorReaderTest.descriptor;
import static io.sluice.sidecar.DescriptorReaderTest.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import com.google.protobuf.UInt64Value;
import com.google.rpc.Code;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.HeaderMap;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.auth.v3.AttributeContext;
import io.envoyproxy.envoy.service.auth.v3.AuthorizationGrpc;
import io.envoyproxy.envoy.service.auth.v3.CheckRequest;
import io.envoyproxy.envoy.service.auth.v3.CheckResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.type.v3.StatusCode;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The published stubs stand in for Envoy. */
@Tag("server")
class GrpcSidecarTest {
    @TempDir
    Path folder;

    private Sidecar sidecar;
    private ManagedChannel channel;

    @AfterEach
    void close() {
        if (channel != null) {
            channel.shutdownNow();
            sidecar.close();
        }
    }

    private void open(String policies, String agent, String more) throws Exception {
        sidecar = Sidecars.open(folder, policies, agent, more);
        channel = NettyChannelBuilder.forAddress("127.0.0.1", sidecar.grpcPort())
                .usePlaintext()
                .build();
    }

    @Test
    void givenALimitOfTwoWhenAskedThreeTimesThenTheThirdIsOverAndSaysUntilWhen() throws Exception {
        open(Sidecars.TWO_AT_ONCE, "", "");
        RateLimitRequest acme = to("orders", descriptor("caller=acme"));

        RateLimitResponse first = limits().shouldRateLimit(acme);
        limits().shouldRateLimit(acme);
        RateLimitResponse third = limits().shouldRateLimit(acme);

        assertThat(first.getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
        assertThat(first.getStatuses(0).getLimitRemaining()).isEqualTo(1);
        assertThat(first.getStatuses(0).getCurrentLimit().getRequestsPerUnit()).isEqualTo(6);
        assertThat(first.getStatuses(0).getCurrentLimit().getUnit()).isEqualTo(RateLimitResponse.RateLimit.Unit.HOUR);
        assertThat(names(first)).containsExactly("RateLimit-Policy", "RateLimit");
        assertThat(first.getRawBody().isEmpty()).isTrue();
        assertThat(third.getOverallCode()).isEqualTo(RateLimitResponse.Code.OVER_LIMIT);
        assertThat(third.getStatuses(0).getLimitRemaining()).isZero();
        assertThat(third.getStatuses(0).getDurationUntilReset().getSeconds()).isBetween(300L, 600L);
        assertThat(names(third))
                .containsExactly("Retry-After", "Cache-Control", "RateLimit-Policy", "RateLimit", "Content-Type");
        assertThat(third.getRawBody().toStringUtf8()).contains("quota-exceeded", "\"status\":429");
    }

    @Test
    void givenSeveralDescriptorsWhenOneIsOverThenAllAreAndEachSaysItsOwn() throws Exception {
        open(Sidecars.TWO_AT_ONCE, "", "");
        limits().shouldRateLimit(to("orders", descriptor("caller=acme"), descriptor("caller=acme")));

        RateLimitResponse response = limits().shouldRateLimit(to(
                "orders", descriptor("caller=globex"), descriptor("caller=acme"), descriptor("caller=initech")));

        assertThat(response.getOverallCode()).isEqualTo(RateLimitResponse.Code.OVER_LIMIT);
        assertThat(response.getStatusesList())
                .extracting(RateLimitResponse.DescriptorStatus::getCode)
                .containsExactly(
                        RateLimitResponse.Code.OK, RateLimitResponse.Code.OVER_LIMIT, RateLimitResponse.Code.OK);
        assertThat(names(response)).contains("Retry-After");
    }

    /** As Envoy asks for an AI gateway: nothing at the request, and what the answer took at the end of its stream. */
    @Test
    void givenHitsAtTheEndOfTheStreamWhenChargedThenTheNextRequestIsOver() throws Exception {
        open(Sidecars.THOUSAND_TOKENS, "", "");
        RateLimitDescriptor acme = descriptor("caller=acme");
        RateLimitRequest begins =
                to("orders", acme.toBuilder().setHitsAddend(UInt64Value.of(0)).build());
        RateLimitRequest ends = to("orders", descriptor("caller=acme", "sluice_charge=used")).toBuilder()
                .setHitsAddend(700)
                .build();

        RateLimitResponse first = limits().shouldRateLimit(begins);
        limits().shouldRateLimit(begins);
        limits().shouldRateLimit(ends);
        RateLimitResponse second = limits().shouldRateLimit(begins);
        RateLimitResponse charged = limits().shouldRateLimit(ends);
        RateLimitResponse third = limits().shouldRateLimit(begins);

        assertThat(first.getStatuses(0).getLimitRemaining()).isEqualTo(999);
        assertThat(second.getStatuses(0).getLimitRemaining()).isBetween(299, 300);
        assertThat(charged.getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
        assertThat(third.getOverallCode()).isEqualTo(RateLimitResponse.Code.OVER_LIMIT);
        assertThat(third.getStatuses(0).getDurationUntilReset().getSeconds()).isBetween(23_400L, 24_060L);
    }

    @Test
    void givenHitsWhenAskedThenTheyAreTakenAllOrNone() throws Exception {
        open(Sidecars.THOUSAND_TOKENS, "", "");
        RateLimitRequest.Builder acme = to("orders", descriptor("caller=acme")).toBuilder();

        RateLimitResponse first =
                limits().shouldRateLimit(acme.setHitsAddend(600).build());
        RateLimitResponse second =
                limits().shouldRateLimit(acme.setHitsAddend(600).build());
        RateLimitResponse third =
                limits().shouldRateLimit(acme.setHitsAddend(400).build());
        RateLimitResponse never =
                limits().shouldRateLimit(acme.setHitsAddend(1001).build());

        assertThat(first.getStatuses(0).getLimitRemaining()).isEqualTo(400);
        assertThat(first.getResponseHeadersToAdd(0).getValue()).isEqualTo("\"tokens\";q=1000;qu=\"cost\";w=60000");
        assertThat(second.getOverallCode()).isEqualTo(RateLimitResponse.Code.OVER_LIMIT);
        assertThat(third.getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
        assertThat(never.getOverallCode()).isEqualTo(RateLimitResponse.Code.OVER_LIMIT);
        assertThat(never.getStatuses(0).hasDurationUntilReset()).isFalse();
        assertThat(names(never)).doesNotContain("Retry-After");
        assertThat(never.getRawBody().toStringUtf8()).contains("costs more than the limit ever allows at once");
    }

    @Test
    void givenAPolicyThatSaysNothingWhenAskedThenNothingIsTold() throws Exception {
        open("policies: []", "", "");

        RateLimitResponse response = limits().shouldRateLimit(to("orders", descriptor("caller=acme")));

        assertThat(response.getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
        assertThat(response.getStatuses(0).hasCurrentLimit()).isFalse();
        assertThat(response.getResponseHeadersToAddCount()).isZero();
    }

    @Test
    void currentLimit_isTheRateOfTheLimit_whateverItsBurst() throws Exception {
        Map<String, RateLimitResponse.RateLimit> expected = new LinkedHashMap<>();
        expected.put("{ rate: 50/s, burst: 20 }", rate(50, RateLimitResponse.RateLimit.Unit.SECOND));
        expected.put("{ rate: 10/s, burst: 5 }", rate(10, RateLimitResponse.RateLimit.Unit.SECOND));
        expected.put("{ rate: 10/s, burst: 1000 }", rate(10, RateLimitResponse.RateLimit.Unit.SECOND));
        expected.put("{ rate: 30/m, burst: 1 }", rate(30, RateLimitResponse.RateLimit.Unit.MINUTE));
        expected.put("{ rate: 100/s, algorithm: fixed-window }", rate(100, RateLimitResponse.RateLimit.Unit.SECOND));
        expected.put("{ rate: 60/s }", rate(60, RateLimitResponse.RateLimit.Unit.SECOND));
        expected.put("{ rate: 7/s, burst: 3 }", rate(7, RateLimitResponse.RateLimit.Unit.SECOND));
        expected.put("{ rate: 1500/s, burst: 1 }", rate(1500, RateLimitResponse.RateLimit.Unit.SECOND));
        expected.put("{ rate: 90/m, burst: 7 }", rate(90, RateLimitResponse.RateLimit.Unit.MINUTE));
        expected.put("{ rate: 100000/3s, burst: 1 }", rate(2_000_000, RateLimitResponse.RateLimit.Unit.MINUTE));
        // no whole number in any unit
        expected.put("{ rate: 1/7h, burst: 3 }", RateLimitResponse.RateLimit.getDefaultInstance());
        StringBuilder policies = new StringBuilder("policies:\n");
        List<RateLimitDescriptor> asked = new ArrayList<>();
        for (String limit : expected.keySet()) {
            String name = "limit-" + asked.size();
            asked.add(descriptor("caller=" + name));
            policies.append(
                    "  - { name: %s, match: { caller: %s }, per: [caller], limit: %s }\n".formatted(name, name, limit));
        }
        open(policies.toString(), "", "");

        RateLimitResponse response = limits().shouldRateLimit(to("orders", asked.toArray(RateLimitDescriptor[]::new)));

        assertThat(response.getStatusesList())
                .extracting(status ->
                        status.getCurrentLimit().toBuilder().clearName().build())
                .containsExactlyElementsOf(expected.values());
    }

    private static RateLimitResponse.RateLimit rate(int permits, RateLimitResponse.RateLimit.Unit unit) {
        return RateLimitResponse.RateLimit.newBuilder()
                .setRequestsPerUnit(permits)
                .setUnit(unit)
                .build();
    }

    @Test
    void givenWhatCanNotBeReadWhenAskedThenThatIsAnInvalidArgument() throws Exception {
        open(Sidecars.TWO_AT_ONCE, "", "");

        assertThatThrownBy(() -> limits().shouldRateLimit(to("orders")))
                .hasMessage("INVALID_ARGUMENT: found 0 descriptors, 1 to 64 are allowed");
        assertThatThrownBy(() -> with("X-Sluice-Log", "no").shouldRateLimit(to("orders", descriptor("caller=acme"))))
                .hasMessage("INVALID_ARGUMENT: X-Sluice-Log must be on or off");
        assertThatThrownBy(() -> authorization().check(CheckRequest.getDefaultInstance()))
                .hasMessageStartingWith("INVALID_ARGUMENT: nothing names the caller");
        CheckRequest raw = asks("203.0.113.9", "GET", "/").toBuilder()
                .mergeFrom(CheckRequest.newBuilder()
                        .setAttributes(AttributeContext.newBuilder()
                                .setRequest(AttributeContext.Request.newBuilder()
                                        .setHttp(AttributeContext.HttpRequest.newBuilder()
                                                .setHeaderMap(HeaderMap.getDefaultInstance()))))
                        .build())
                .build();
        assertThatThrownBy(() -> authorization().check(raw)).hasMessageContaining("encode_raw_headers");
    }

    @Test
    void textThatIsNotUtf8_isReadAndCounted() throws Exception {
        open("""
                policies:
                  - { name: plans, per: [caller], limit: { rate: 1/h, burst: 1 } }
                """, ", caller: header:X-Api-Key", "");
        byte[] limited = withoutUtf8(to("orders", descriptor("caller=acme#", "route=/a#")));
        byte[] authorized = withoutUtf8(asks("203.0.113.9", "GET", "/a#", "x-api-key=globex#"));

        assertThat(send(RateLimitServiceGrpc.getShouldRateLimitMethod(), limited)
                        .getOverallCode())
                .isEqualTo(RateLimitResponse.Code.OK);
        assertThat(send(RateLimitServiceGrpc.getShouldRateLimitMethod(), limited)
                        .getOverallCode())
                .isEqualTo(RateLimitResponse.Code.OVER_LIMIT);
        assertThat(send(AuthorizationGrpc.getCheckMethod(), authorized)
                        .getStatus()
                        .getCode())
                .isEqualTo(Code.OK_VALUE);
        assertThat(send(AuthorizationGrpc.getCheckMethod(), authorized)
                        .getStatus()
                        .getCode())
                .isEqualTo(Code.RESOURCE_EXHAUSTED_VALUE);
    }

    @Test
    void damagedMessage_isRefusedAndChargesNothing() throws Exception {
        open(Sidecars.TWO_AT_ONCE, "", "");
        byte[] whole = to("orders", descriptor("caller=acme")).toByteArray();
        // a field of 127 bytes, of which there is none
        byte[] damaged = Arrays.copyOf(whole, whole.length + 2);
        damaged[whole.length] = 0x0A;
        damaged[whole.length + 1] = 0x7F;

        assertThatThrownBy(() -> send(RateLimitServiceGrpc.getShouldRateLimitMethod(), damaged))
                .hasMessageStartingWith("UNKNOWN");
        assertThat(limits().shouldRateLimit(to("orders", descriptor("caller=acme")))
                        .getStatuses(0)
                        .getLimitRemaining())
                .isEqualTo(1);
    }

    /** Returns the message's bytes with 0xFF, which UTF-8 does not have, for each #. */
    private static byte[] withoutUtf8(Message message) {
        byte[] bytes = message.toByteArray();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = bytes[i] == '#' ? (byte) 0xFF : bytes[i];
        }
        return bytes;
    }

    private <R> R send(MethodDescriptor<?, R> method, byte[] request) {
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
        return ClientCalls.blockingUnaryCall(
                channel, method.toBuilder(bytes, method.getResponseMarshaller()).build(), CallOptions.DEFAULT, request);
    }

    @Test
    void givenTooMuchWhenAskedThenItIsRefusedAndTheConnectionGoesOn() throws Exception {
        open(Sidecars.TWO_AT_ONCE, "", "");

        assertThatThrownBy(() -> limits().shouldRateLimit(to("orders", descriptor("caller=" + "x".repeat(256 << 10)))))
                .hasMessageContaining("RESOURCE_EXHAUSTED: gRPC message exceeds maximum size");
        assertThat(limits().shouldRateLimit(to("orders", descriptor("caller=acme")))
                        .getOverallCode())
                .isEqualTo(RateLimitResponse.Code.OK);
    }

    @Test
    void givenExternalAuthorizationWhenOverThenTheClientGetsTheSameAnswerAsAtAnyOtherDoor() throws Exception {
        open("""
                policies:
                  - { name: plans, per: [caller], match: { route: "/orders/{id}", service: stock, labels.plan: gold }, limit: { rate: 6/h, burst: 2 } }
                """, "", "");
        CheckRequest acme = asks("203.0.113.9", "GET", "/orders/4711?x=1");

        CheckResponse first = authorization().check(acme);
        authorization().check(acme);
        CheckResponse third = authorization().check(acme);
        CheckResponse neighbour = authorization().check(asks("203.0.113.10", "GET", "/orders/4711"));

        assertThat(first.getStatus().getCode()).isEqualTo(Code.OK_VALUE);
        assertThat(first.getOkResponse().getResponseHeadersToAddList())
                .extracting(option -> option.getHeader().getKey())
                .containsExactly("RateLimit-Policy", "RateLimit");
        assertThat(third.getStatus().getCode()).isEqualTo(Code.RESOURCE_EXHAUSTED_VALUE);
        assertThat(third.getDeniedResponse().getStatus().getCode()).isEqualTo(StatusCode.TooManyRequests);
        assertThat(third.getDeniedResponse().getHeadersList())
                .extracting(HeaderValueOption::getHeader)
                .extracting(HeaderValue::getKey)
                .containsExactlyInAnyOrder(
                        "Content-Type", "Retry-After", "Cache-Control", "RateLimit-Policy", "RateLimit");
        assertThat(third.getDeniedResponse().getBody()).contains("quota-exceeded");
        assertThat(neighbour.getStatus().getCode()).isEqualTo(Code.OK_VALUE);
    }

    @Test
    void givenACallerOfTheSettingsWhenAuthorizedThenHeadersOfTheClientNameNothingElse() throws Exception {
        open(Sidecars.TWO_AT_ONCE, ", caller: header:X-Api-Key", ", reject-status: 403");
        CheckRequest acme = asks("203.0.113.9", "GET", "/", "x-api-key=acme", "x-sluice-caller=globex");
        CheckRequest elsewhere = asks("203.0.113.77", "GET", "/", "x-api-key=acme", "x-sluice-caller=initech");

        authorization().check(acme);
        authorization().check(elsewhere);
        CheckResponse third = authorization().check(elsewhere);

        assertThat(third.getDeniedResponse().getStatus().getCode()).isEqualTo(StatusCode.Forbidden);
    }

    @Test
    void givenARejectStatusThatEnvoyHasNoNameForWhenDeniedThenItIs429() throws Exception {
        open(Sidecars.TWO_AT_ONCE, "", ", reject-status: 420");
        CheckRequest acme = asks("203.0.113.9", "GET", "/");

        List<CheckResponse> three =
                Stream.generate(() -> authorization().check(acme)).limit(3).toList();

        assertThat(three.get(2).getDeniedResponse().getStatus().getCode()).isEqualTo(StatusCode.TooManyRequests);
        assertThat(three.get(2).getDeniedResponse().getBody()).contains("\"status\":429");
    }

    private RateLimitServiceGrpc.RateLimitServiceBlockingStub limits() {
        return RateLimitServiceGrpc.newBlockingStub(channel);
    }

    private RateLimitServiceGrpc.RateLimitServiceBlockingStub with(String key, String value) {
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER), value);
        return limits().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    private AuthorizationGrpc.AuthorizationBlockingStub authorization() {
        return AuthorizationGrpc.newBlockingStub(channel);
    }

    private static List<String> names(RateLimitResponse response) {
        return response.getResponseHeadersToAddList().stream()
                .map(HeaderValue::getKey)
                .toList();
    }

    private static CheckRequest asks(String address, String method, String path, String... headers) {
        AttributeContext.HttpRequest.Builder http =
                AttributeContext.HttpRequest.newBuilder().setMethod(method).setPath(path);
        for (String header : headers) {
            int equal = header.indexOf('=');
            http.putHeaders(header.substring(0, equal), header.substring(equal + 1));
        }
        return CheckRequest.newBuilder()
                .setAttributes(AttributeContext.newBuilder()
                        .setSource(AttributeContext.Peer.newBuilder()
                                .setAddress(Address.newBuilder()
                                        .setSocketAddress(SocketAddress.newBuilder()
                                                .setAddress(address)
                                                .setPortValue(4711))))
                        .setRequest(AttributeContext.Request.newBuilder().setHttp(http))
                        .putContextExtensions("service", "stock")
                        .putContextExtensions("plan", "gold"))
                .build();
    }
}
