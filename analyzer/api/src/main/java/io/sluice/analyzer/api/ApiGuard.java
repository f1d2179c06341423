package io.sluice.analyzer.api;

import io.sluice.settings.HttpSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are allowed. A page in a browser can send requests to loopback under a name of its own (DNS rebinding), so the Host has to
 * be one of ours, and the Origin where there is one; off loopback there is no answer without the token, and nothing is changed without it
 * anywhere. Thread-safe.
 */
final class ApiGuard {
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> METHODS = Set.of("GET", "POST", "DELETE");
    /** A name or an address, and perhaps a port; nothing before an {@code @}. */
    private static final Pattern AUTHORITY = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\[\\]:@/?#\\s]+)(:[0-9]{1,5})?");

    private static final String BEARER = "Bearer ";
    private static final String READ_ONLY = "read only; 'http.writes: true' with http.token-file lets clients with the"
            + " token change locks. './sluice locks add' and 'locks release' do it without";

    private final Set<String> hosts = new HashSet<>(LOOPBACK);
    private final byte @Nullable [] token;
    private final String own;
    private final boolean open;
    private final boolean writes;

    /** The reason of a refusal. */
    record Refusal(int status, String message) {}

    /** @param token {@code null} for none: then only requests from this machine are allowed */
    ApiGuard(HttpSettings where, @Nullable String token) {
        this(where, token, "");
    }

    /** @param own the address under which the other instances ask this one, HOST:PORT; empty for none */
    ApiGuard(HttpSettings where, @Nullable String token, String own) {
        this.own = own;
        this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        open = LOOPBACK.contains(where.bind()) || where.bind().equals("::1");
        writes = where.writes();
        hosts.add(where.bind().toLowerCase(Locale.ROOT));
        if (!own.isEmpty()) {
            hosts.add(withoutPort(own).toLowerCase(Locale.ROOT));
        }
        where.allowedHosts().forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns why a request is refused; nothing for one that is allowed.
     *
     * @param target its path and query as they were sent
     */
    Optional<Refusal> refusal(String method, HttpFields headers, String target) {
        Optional<Refusal> addressed = address(method, headers);
        return addressed.isPresent() ? addressed : access(method, headers, target);
    }

    /**
     * Returns why a request is refused by its method, Host or Origin; nothing for one that is allowed. Enough for what holds no data: the files of the
     * dashboard.
     */
    Optional<Refusal> address(String method, HttpFields headers) {
        if (!METHODS.contains(method)) {
            return refused(405, "found " + printable(method) + ", allowed are GET, POST and DELETE");
        }
        String host = headers.get(HttpHeader.HOST);
        if (host == null || headers.getValuesList(HttpHeader.HOST).size() > 1 || !ours(host)) {
            return refused(403, "this Host is none of ours; http.allowed-hosts names those that are");
        }
        String origin = headers.get(HttpHeader.ORIGIN);
        if (origin != null && !ours(origin.replaceFirst("^https?://", ""))) {
            return refused(403, "a page of this Origin may not ask; http.allowed-hosts names those that may");
        }
        return Optional.empty();
    }

    /**
     * Returns why a browser may not start or end a session; nothing where it may. The request has to come from a page of this very address, because
     * cookies are shared by all ports of a host.
     */
    Optional<Refusal> session(HttpFields headers) {
        String origin = headers.get(HttpHeader.ORIGIN);
        String host = headers.get(HttpHeader.HOST);
        return origin != null
                        && host != null
                        && origin.replaceFirst("^https?://", "").equalsIgnoreCase(host)
                ? Optional.empty()
                : refused(403, "only the page of this address may do this: the Origin has to be the Host");
    }

    private Optional<Refusal> access(String method, HttpFields headers, String target) {
        if (token == null && !open) {
            return refused(403, "not served off loopback without a token; http.token-file names one");
        }
        String authorization = headers.get(HttpHeader.AUTHORIZATION);
        if (token != null && authorization != null && PeerSignature.claimed(authorization)) {
            boolean local = method.equals("GET") && target.startsWith(Peers.LOCAL) && !own.isEmpty();
            return local
                    ? PeerSignature.problem(authorization, token, own, target, System.currentTimeMillis() / 1000)
                            .map(problem -> new Refusal(401, problem))
                    : refused(401, "other instances may only read " + Peers.LOCAL);
        }
        if (token != null && !given(authorization, token)) {
            if (!Session.valid(headers, token, System.currentTimeMillis() / 1000)) {
                return refused(401, "needs 'Authorization: Bearer TOKEN'");
            }
            // the browser adds the cookie to whatever a page sends
            Optional<Refusal> foreign = method.equals("GET") ? Optional.empty() : session(headers);
            if (foreign.isPresent()) {
                return foreign;
            }
        }
        // without a token any program of this machine could change what is locked
        return method.equals("GET") || (writes && token != null) ? Optional.empty() : refused(403, READ_ONLY);
    }

    private boolean ours(String host) {
        return AUTHORITY.matcher(host).matches()
                && hosts.contains(withoutPort(host).toLowerCase(Locale.ROOT));
    }

    private static boolean given(@Nullable String authorization, byte[] token) {
        String given = authorization != null && authorization.startsWith(BEARER)
                ? authorization.substring(BEARER.length())
                : "";
        return MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<Refusal> refused(int status, String message) {
        return Optional.of(new Refusal(status, message));
    }

    private static String printable(String method) {
        return method.matches("[A-Z]{1,16}") ? method : "something else";
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }
}
