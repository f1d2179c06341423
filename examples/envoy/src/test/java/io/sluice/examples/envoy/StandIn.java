package io.sluice.examples.envoy;

import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.route.v3.RateLimit.Action;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.filters.http.ext_authz.v3.ExtAuthz;
import io.envoyproxy.envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute;
import io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit;
import io.envoyproxy.envoy.service.auth.v3.AttributeContext;
import io.envoyproxy.envoy.service.auth.v3.AuthorizationGrpc;
import io.envoyproxy.envoy.service.auth.v3.CheckRequest;
import io.envoyproxy.envoy.service.auth.v3.CheckResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Channel;
import io.sluice.sidecar.Sidecar;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** Asks the sidecar as envoy.yaml tells Envoy to, on behalf of a client that sent {@code GET /orders/4711?x=1}. */
final class StandIn {
    static final int OK = 200;
    private static final String CLIENT = "203.0.113.9";
    private static final String PATH = "/orders/4711?x=1";
    /** What Envoy adds behind the client's address; of an Envoy on this machine. */
    private static final String ENVOY = "127.0.0.1";

    private final EnvoyYaml yaml;
    private final Sidecar sidecar;
    private final Channel channel;
    private final HttpClient client = HttpClient.newHttpClient();

    StandIn(EnvoyYaml yaml, Sidecar sidecar, Channel channel) {
        this.yaml = yaml;
        this.sidecar = sidecar;
        this.channel = channel;
    }

    /** The status that Envoy would give its client; {@value #OK} lets the request through. */
    interface Way {
        int ask(String tenant) throws Exception;
    }

    int overHttp(String tenant) throws Exception {
        ExtAuthz filter = yaml.filter("ext_authz_http", ExtAuthz.class);
        Map<String, String> ofTheClient =
                Map.of("x-forwarded-for", CLIENT + "," + ENVOY, "x-tenant", tenant, "x-sluice-caller", "forged");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create(sidecar.http() + filter.getHttpService().getPathPrefix() + PATH));
        filter.getAllowedHeaders()
                .getPatternsList()
                .forEach(allowed -> request.header(allowed.getExact(), ofTheClient.get(allowed.getExact())));
        for (HeaderValue header :
                filter.getHttpService().getAuthorizationRequest().getHeadersToAddList()) {
            request.header(header.getKey(), header.getValue());
        }
        return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    int overGrpc(String tenant) throws IOException {
        ExtAuthzPerRoute route =
                yaml.perRoute("ext_authz_grpc", "envoy.filters.http.ext_authz", ExtAuthzPerRoute.class);
        CheckResponse response = AuthorizationGrpc.newBlockingStub(channel)
                .check(CheckRequest.newBuilder()
                        .setAttributes(AttributeContext.newBuilder()
                                .setSource(AttributeContext.Peer.newBuilder()
                                        .setAddress(Address.newBuilder()
                                                .setSocketAddress(SocketAddress.newBuilder()
                                                        .setAddress(CLIENT)
                                                        .setPortValue(4711))))
                                .setRequest(AttributeContext.Request.newBuilder()
                                        .setHttp(AttributeContext.HttpRequest.newBuilder()
                                                .setMethod("GET")
                                                .setPath(PATH)
                                                .putHeaders("x-tenant", tenant)
                                                .putHeaders("x-sluice-caller", "forged")))
                                .putAllContextExtensions(
                                        route.getCheckSettings().getContextExtensionsMap()))
                        .build());
        return response.hasOkResponse()
                ? OK
                : response.getDeniedResponse().getStatus().getCodeValue();
    }

    int overRateLimit(String tenant) throws IOException {
        Map<String, String> headers = Map.of("x-tenant", tenant, ":path", PATH, ":method", "GET");
        RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
        for (Action action :
                yaml.route("rate_limit").getRoute().getRateLimits(0).getActionsList()) {
            RateLimitDescriptor.Entry.Builder entry = RateLimitDescriptor.Entry.newBuilder();
            if (action.hasRemoteAddress()) {
                entry.setKey("remote_address").setValue(CLIENT);
            } else {
                entry.setKey(action.getRequestHeaders().getDescriptorKey())
                        .setValue(headers.get(action.getRequestHeaders().getHeaderName()));
            }
            descriptor.addEntries(entry);
        }
        RateLimitResponse response = RateLimitServiceGrpc.newBlockingStub(channel)
                .shouldRateLimit(RateLimitRequest.newBuilder()
                        .setDomain(yaml.filter("rate_limit", RateLimit.class).getDomain())
                        .addDescriptors(descriptor)
                        .build());
        // the filter's own status
        return response.getOverallCode() == RateLimitResponse.Code.OK ? OK : 429;
    }
}
