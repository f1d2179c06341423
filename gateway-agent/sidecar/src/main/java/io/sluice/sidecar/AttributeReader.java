package io.sluice.sidecar;

import io.envoyproxy.envoy.service.auth.v3.AttributeContext;
import io.sluice.agent.Request;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.HttpDoor;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RouteNormalizer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request from Envoy's external authorization: the caller is that of {@code agent.caller} in the client's
 * address, headers and principal; {@code context_extensions}, which only Envoy's own configuration fills, name the {@code service} and the
 * labels. Headers are the client's word, so none of them names a service or a label. Immutable and thread-safe.
 */
final class AttributeReader {
    private final CallerExtraction caller;
    private final RouteNormalizer routes;
    private final String service;

    AttributeReader(CallerExtraction caller, RouteNormalizer routes, String service) {
        this.caller = caller;
        this.routes = routes;
        this.service = service;
    }

    Request read(AttributeContext attributes) throws UnreadableCheckException {
        AttributeContext.HttpRequest http = attributes.getRequest().getHttp();
        if (http.hasHeaderMap()) {
            throw new UnreadableCheckException("header_map is not read: leave encode_raw_headers off");
        }
        Door door = new Door(attributes.getSource(), http);
        Request.Builder request = caller.request(door);
        Map<String, String> extensions = attributes.getContextExtensionsMap();
        request.service(extensions.getOrDefault("service", service));
        if (!http.getPath().isEmpty()) {
            request.route(routes.normalize(http.getPath()));
        }
        if (!http.getMethod().isEmpty()) {
            request.method(http.getMethod());
        }
        int labels = extensions.size() - (extensions.containsKey("service") ? 1 : 0);
        if (labels > RequestEvent.MAX_LABELS) {
            throw new UnreadableCheckException(
                    "more than " + RequestEvent.MAX_LABELS + " context_extensions besides service");
        }
        extensions.forEach((name, value) -> {
            if (!name.equals("service")) {
                request.label(name, value);
            }
        });
        Request read = request.build();
        // with an address, the client's X-Forwarded-For is malformed: a refusal would let it pass
        if (door.peer().isEmpty() && UnknownCaller.is(read)) {
            throw new UnreadableCheckException("nothing names the caller: neither agent.caller nor source.address");
        }
        return read;
    }

    private record Door(AttributeContext.Peer source, AttributeContext.HttpRequest http) implements HttpDoor {
        @Override
        public String peer() {
            return source.getAddress().getSocketAddress().getAddress();
        }

        @Override
        public List<String> headers(String name) {
            // Envoy joins a header's lines with commas, and writes names in lower case
            String value = http.getHeadersMap().get(name.toLowerCase(Locale.ROOT));
            return value == null ? List.of() : List.of(value);
        }

        @Override
        public @Nullable String principal() {
            return source.getPrincipal();
        }

        @Override
        public String path() {
            return http.getPath();
        }

        @Override
        public String method() {
            return http.getMethod();
        }
    }
}
