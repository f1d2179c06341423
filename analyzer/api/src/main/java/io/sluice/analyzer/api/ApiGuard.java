package io.sluice.analyzer.api;

import io.sluice.settings.HttpSettings;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are allowed. A page in a browser can send requests to loopback under a name of its own (DNS rebinding), so the Host has to
 * be one of ours, and the Origin where there is one; off loopback there is no answer without the token, and nothing is changed without it
 * anywhere. Users need the role that {@link Permission} names. Thread-safe.
 */
final class ApiGuard {
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "DELETE");
    /** A name or an address, and perhaps a port; nothing before an {@code @}. */
    private static final Pattern AUTHORITY = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\[\\]:@/?#\\s]+)(:[0-9]{1,5})?");

    private static final String READ_ONLY = "read only; 'http.writes: true' with http.token-file allows changes."
            + " './sluice locks add', 'locks release', 'enforce' and 'policies apply' work without it";

    private final Set<String> hosts = new HashSet<>(LOOPBACK);
    private final byte @Nullable [] token;
    private final Authenticator authenticator;
    private final String own;
    private final boolean open;
    private final boolean writes;

    /** The reason of a refusal. */
    record Refusal(int status, String message) {}

    /** A request whose user may do what it asks for, or the reason of its refusal. */
    record Admission(@Nullable User user, @Nullable Refusal refusal) {
        static Admission refused(int status, String message) {
            return new Admission(null, new Refusal(status, message));
        }
    }

    /**
     * What a guard needs of a request.
     *
     * @param target path and query as they were sent
     * @param remote the address at the other end of the connection
     */
    record RequestHead(String method, HttpFields headers, String target, String remote) {
        static RequestHead of(Request request) {
            return new RequestHead(
                    request.getMethod(),
                    request.getHeaders(),
                    String.valueOf(request.getHttpURI().getPathQuery()),
                    Request.getRemoteAddr(request));
        }
    }

    /**
     * @param token {@code null} for none: then only requests from this machine are allowed
     * @param own the address under which the other instances ask this one, HOST:PORT; empty for none
     */
    ApiGuard(HttpSettings where, @Nullable String token, Authenticator authenticator, String own) {
        this.own = own;
        this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        this.authenticator = authenticator;
        open = loopback(where.bind());
        writes = where.writes();
        hosts.add(where.bind().toLowerCase(Locale.ROOT));
        if (!own.isEmpty()) {
            hosts.add(withoutPort(own).toLowerCase(Locale.ROOT));
        }
        where.allowedHosts().forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
    }

    private static boolean loopback(String bind) {
        try {
            return Api.onLoopback(bind);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Returns the user of a request, or why it is refused. */
    Admission admit(RequestHead asked) {
        Optional<Refusal> addressed = address(asked.method(), asked.headers());
        return addressed.isPresent() ? new Admission(null, addressed.get()) : access(asked);
    }

    /**
     * Returns why a request is refused by its method, Host or Origin; nothing for one that is allowed. Enough for what holds no data: the files of the
     * dashboard.
     */
    Optional<Refusal> address(String method, HttpFields headers) {
        if (!METHODS.contains(method)) {
            return refused(405, "found " + printable(method) + ", allowed are GET, POST, PUT and DELETE");
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

    private Admission access(RequestHead asked) {
        if (token == null && !open) {
            return Admission.refused(403, "not served off loopback without a token; http.token-file names one");
        }
        String authorization = asked.headers().get(HttpHeader.AUTHORIZATION);
        if (token != null && authorization != null && PeerSignature.claimed(authorization)) {
            return peer(asked, authorization, token);
        }
        Authenticator.Result who = authenticator.user(asked.headers(), asked.remote(), seconds());
        User user = who.user();
        if (user == null) {
            return new Admission(null, who.refusal());
        }
        Permission needed = Permission.of(asked.method(), asked.target());
        // without a token any program of this machine could change what is locked
        if (needed.change() && !(writes && token != null)) {
            return Admission.refused(403, READ_ONLY);
        }
        if (!user.role().includes(needed.role())) {
            return Admission.refused(
                    403,
                    (user.name().isEmpty() ? "this client" : user.name()) + " has the role "
                            + user.role().spelling() + ", needed is "
                            + needed.role().spelling());
        }
        // the browser adds the credentials to whatever any page sends
        Optional<Refusal> foreign = who.ambient() && !asked.method().equals("GET")
                ? session(asked.headers()).or(() -> unproven(asked.headers(), user))
                : Optional.empty();
        return foreign.isPresent() ? new Admission(null, foreign.get()) : new Admission(user, null);
    }

    private Admission peer(RequestHead asked, String authorization, byte[] key) {
        boolean local = asked.method().equals("GET") && asked.target().startsWith(Peers.LOCAL) && !own.isEmpty();
        if (!local) {
            return Admission.refused(401, "other instances may only read " + Peers.LOCAL);
        }
        return PeerSignature.problem(authorization, key, own, asked.target(), seconds())
                .map(problem -> Admission.refused(401, problem))
                .orElseGet(() -> new Admission(User.ANYONE, null));
    }

    private Optional<Refusal> unproven(HttpFields headers, User user) {
        return token != null && Session.proves(headers.get(Session.PROOF), token, user, seconds())
                ? Optional.empty()
                : refused(
                        403,
                        Session.PROOF + " is missing or not valid any more; allowed is csrf of GET " + SignIn.PATH);
    }

    private static long seconds() {
        return System.currentTimeMillis() / 1000;
    }

    private boolean ours(String host) {
        return AUTHORITY.matcher(host).matches()
                && hosts.contains(withoutPort(host).toLowerCase(Locale.ROOT));
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
