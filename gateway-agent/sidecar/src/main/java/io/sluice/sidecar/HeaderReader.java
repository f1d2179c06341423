package io.sluice.sidecar;

import io.sluice.agent.Request;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.HttpDoor;
import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.Cidr;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.settings.AgentSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * Reads a check out of what a proxy says in HTTP. Who asks is {@code X-Sluice-Caller}, else what {@code agent.caller} says. The
 * proxy's own address is nobody's: where it names no client, there is none. Immutable and thread-safe.
 *
 * <p>Refused is only what a proxy's configuration got wrong. What a client can bring about, whatever it writes into a path, a method or
 * a name, is read: a refusal would let it through wherever the proxy fails open.
 */
final class HeaderReader {
    private static final String CALLER = "X-Sluice-Caller";
    private static final String SERVICE = "X-Sluice-Service";
    private static final String LABEL = "X-Sluice-Label-";
    private static final String URI = "X-Original-URI";
    private static final String METHOD = "X-Original-Method";
    private static final String FORWARDED = "X-Forwarded-For";
    /** Whoever reaches a loopback port stands on this machine: the proxy. */
    private static final List<String> LOOPBACK = List.of("127.0.0.0/8", "::1/128");

    private final CallerExtraction named;
    private final CallerExtraction usual;
    private final List<Cidr> proxies;
    private final RouteNormalizer routes;
    private final String service;

    HeaderReader(AgentSettings agent, RouteNormalizer routes) {
        List<String> trusted = new ArrayList<>(LOOPBACK);
        trusted.addAll(agent.trustedProxies());
        Identity identity = agent.identity();
        this.named = CallerExtraction.of("header:" + CALLER, identity, trusted, agent.ipv6Prefix());
        this.usual = CallerExtraction.of(agent.caller(), identity, trusted, agent.ipv6Prefix());
        this.proxies = trusted.stream().map(Cidr::parse).toList();
        this.routes = routes;
        this.service = agent.service();
    }

    /** A check that names URI and method in headers, as nginx's {@code auth_request} does. */
    Check check(String peer, HttpFields headers) throws Unreadable {
        return check(peer, headers, one(headers, URI), one(headers, METHOD));
    }

    /**
     * A check of this very URI and method, as Envoy's external authorization sends it.
     *
     * @param uri with or without a query; {@code null} when nobody says
     */
    Check check(String peer, HttpFields headers, @Nullable String uri, @Nullable String method) throws Unreadable {
        Door door = new Door(client(peer, headers), headers, uri == null ? "/" : uri, method == null ? "" : method);
        String caller = one(headers, CALLER);
        Request.Builder request = (caller == null ? usual : named).request(door);
        String of = one(headers, SERVICE);
        request.service(of == null ? service : of);
        if (uri != null) {
            request.route(routes.normalize(uri));
        }
        if (method != null) {
            request.method(method);
        }
        labels(headers, request);
        Request read = request.build();
        if (caller == null && Nobody.is(read)) {
            throw new Unreadable(CALLER + " is missing, and neither agent.caller nor " + FORWARDED + " tells who asks");
        }
        return new Check(read, Check.logged(headers.getValuesList(Check.LOG)));
    }

    /** The client's address as far as it is known: not the proxy's. */
    private String client(String peer, HttpFields headers) {
        return headers.contains(FORWARDED) || !trusted(peer) ? peer : "";
    }

    private boolean trusted(String peer) {
        String address = Addresses.canonical(peer);
        return address != null && proxies.stream().anyMatch(network -> network.contains(address));
    }

    private static void labels(HttpFields headers, Request.Builder request) throws Unreadable {
        int labels = 0;
        for (HttpField field : headers) {
            String header = field.getName();
            if (header.regionMatches(true, 0, LABEL, 0, LABEL.length())) {
                String name = header.substring(LABEL.length()).toLowerCase(Locale.ROOT);
                if (name.isEmpty()) {
                    throw new Unreadable(LABEL + "NAME needs a name");
                }
                if (++labels > RequestEvent.MAX_LABELS) {
                    throw new Unreadable("more than " + RequestEvent.MAX_LABELS + " headers " + LABEL + "NAME");
                }
                request.label(name, value(field));
            }
        }
    }

    /** The value of a header that may stand once; {@code null} when it is missing or empty. */
    private static @Nullable String one(HttpFields headers, String name) throws Unreadable {
        HttpField only = null;
        for (HttpField field : headers) {
            if (field.is(name)) {
                if (only != null) {
                    throw new Unreadable(name + " stands twice");
                }
                only = field;
            }
        }
        return only == null ? null : value(only);
    }

    private static @Nullable String value(HttpField field) {
        String value = field.getValue();
        if (value == null || value.isBlank()) {
            return null;
        }
        return utf8(value);
    }

    /** Jetty reads header bytes as ISO 8859-1; what proxies send, and log, is UTF-8. What is not becomes U+FFFD. */
    private static String utf8(String value) {
        return value.chars().allMatch(c -> c < 0x80)
                ? value
                : new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private record Door(String peer, HttpFields fields, String path, String method) implements HttpDoor {
        @Override
        public List<String> headers(String name) {
            return fields.getValuesList(name).stream().map(HeaderReader::utf8).toList();
        }

        @Override
        public @Nullable String principal() {
            return null;
        }
    }
}
