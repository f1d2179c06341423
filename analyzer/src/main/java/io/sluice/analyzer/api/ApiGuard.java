package io.sluice.analyzer.api;

import io.sluice.settings.HttpSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask. A page in somebody's browser can send requests to loopback under a name of its own (DNS rebinding), so the Host has to
 * be one of ours; off loopback nobody gets an answer without the token. Thread-safe.
 */
final class ApiGuard {
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");
    private static final String BEARER = "Bearer ";

    private final Set<String> hosts = new HashSet<>(LOOPBACK);
    private final byte @Nullable [] token;
    private final boolean open;

    /** Why somebody gets no answer. */
    record Refusal(int status, String message) {}

    /** @param token {@code null} for none: then everybody on this machine may ask, and nobody else */
    ApiGuard(HttpSettings where, @Nullable String token) {
        this(where, token, List.of());
    }

    /** @param own further names of ours */
    ApiGuard(HttpSettings where, @Nullable String token, List<String> own) {
        this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        open = LOOPBACK.contains(where.bind()) || where.bind().equals("::1");
        hosts.add(where.bind().toLowerCase(Locale.ROOT));
        own.forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
        where.allowedHosts().forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
    }

    /**
     * Empty for whoever may ask.
     *
     * @param host the Host header
     * @param authorization the Authorization header
     */
    Optional<Refusal> refusal(String method, @Nullable String host, @Nullable String authorization) {
        if (!method.equals("GET")) {
            return Optional.of(new Refusal(405, "found " + printable(method) + ", allowed is GET"));
        }
        if (host == null || !hosts.contains(withoutPort(host).toLowerCase(Locale.ROOT))) {
            return Optional.of(new Refusal(403, "this Host is none of ours; http.allowed-hosts names those that are"));
        }
        if (token == null) {
            return open
                    ? Optional.empty()
                    : Optional.of(
                            new Refusal(403, "not served off loopback without a token; http.token-file names one"));
        }
        String given = authorization != null && authorization.startsWith(BEARER)
                ? authorization.substring(BEARER.length())
                : "";
        return MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8))
                ? Optional.empty()
                : Optional.of(new Refusal(401, "needs 'Authorization: Bearer TOKEN'"));
    }

    private static String printable(String method) {
        return method.matches("[A-Z]{1,16}") ? method : "something else";
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']')
                        && host.indexOf(':') >= 0
                        && (host.startsWith("[") || host.indexOf(':') == colon)
                ? host.substring(0, colon)
                : host;
    }
}
