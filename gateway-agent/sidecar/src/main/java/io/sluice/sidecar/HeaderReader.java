package io.sluice.sidecar;

import io.sluice.agent.Request;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.HttpDoor;
import io.sluice.contract.event.Addresses;
import io.sluice.contract.event.Cidr;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.settings.AgentSettings;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * Reads a check from a proxy's HTTP request. The caller is {@code X-Sluice-Caller}, else that of {@code agent.caller}. The
 * proxy's own address is no caller: where it names no client, there is none. Immutable and thread-safe.
 *
 * <p>Refused is only what a proxy's configuration got wrong. What a client can bring about, whatever it writes into a path, a method or
 * a name, is read: a refusal would let it through wherever the proxy fails open.
 */
final class HeaderReader {
    /** A client of a loopback port is on this machine: the proxy. */
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
        this.named = CallerExtraction.of("header:" + ProxyHeaders.CALLER, identity, trusted, agent.ipv6Prefix());
        this.usual = CallerExtraction.of(agent.caller(), identity, trusted, agent.ipv6Prefix());
        this.proxies = trusted.stream().map(Cidr::parse).toList();
        this.routes = routes;
        this.service = agent.service();
    }

    /** A check that names URI and method in headers, as nginx's {@code auth_request} does. */
    Check check(String peer, HttpFields headers) throws UnreadableCheckException {
        ProxyHeaders said = ProxyHeaders.read(headers);
        return check(peer, headers, said, said.uri(), said.method());
    }

    /**
     * A check of this very URI and method, as Envoy's external authorization sends it.
     *
     * @param uri with or without a query; {@code null} when unknown
     */
    Check check(String peer, HttpFields headers, @Nullable String uri, @Nullable String method)
            throws UnreadableCheckException {
        return check(peer, headers, ProxyHeaders.read(headers), uri, method);
    }

    private Check check(
            String peer, HttpFields headers, ProxyHeaders said, @Nullable String uri, @Nullable String method)
            throws UnreadableCheckException {
        Door door = new Door(
                client(peer, said.forwarded()), headers, uri == null ? "/" : uri, method == null ? "" : method);
        Request.Builder request = (said.caller() == null ? usual : named).request(door);
        request.service(said.service() == null ? service : said.service());
        if (uri != null) {
            request.route(routes.normalize(uri));
        }
        if (method != null) {
            request.method(method);
        }
        said.labels().forEach(request::label);
        Request read = request.build();
        // a header that names no address may be a client's doing; without one the proxy is configured to send none
        if (said.caller() == null && UnknownCaller.is(read) && !headers.contains(ProxyHeaders.FORWARDED)) {
            throw new UnreadableCheckException(ProxyHeaders.CALLER
                    + " is missing, agent.caller finds no caller, and there is no " + ProxyHeaders.FORWARDED);
        }
        return new Check(read, said.cost(), false, said.logged());
    }

    /** The client's address as far as it is known: not the proxy's. */
    private String client(String peer, boolean forwarded) {
        return forwarded || !trusted(peer) ? peer : "";
    }

    private boolean trusted(String peer) {
        String address = Addresses.canonical(peer);
        if (address == null) {
            return false;
        }
        for (Cidr network : proxies) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }

    private record Door(String peer, HttpFields fields, String path, String method) implements HttpDoor {
        @Override
        public List<String> headers(String name) {
            List<String> values = List.of();
            for (HttpField field : fields) {
                if (field.is(name)) {
                    values = values.isEmpty() ? new ArrayList<>(1) : values;
                    values.add(ProxyHeaders.text(field));
                }
            }
            return values;
        }

        @Override
        public @Nullable String principal() {
            return null;
        }
    }
}
