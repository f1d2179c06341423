package io.sluice.analyzer.api;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the user of a request: by the headers of a trusted proxy, a bearer token or the cookie of a session, in this order. Thread-safe.
 */
final class Authenticator {
    private static final String BEARER = "Bearer ";

    private final byte @Nullable [] key;
    private final Users users;
    private final TrustedProxy proxy;

    /**
     * A user, or the reason of a refusal.
     *
     * @param ambient whether the browser adds the credentials to whatever any page sends
     */
    record Result(@Nullable User user, boolean ambient, ApiGuard.@Nullable Refusal refusal) {
        static Result refused(int status, String message) {
            return new Result(null, false, new ApiGuard.Refusal(status, message));
        }
    }

    /** @param token the common token, which signs cookies; {@code null} for none: everyone may look */
    Authenticator(@Nullable String token, Users users, TrustedProxy proxy) {
        key = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        this.users = users;
        this.proxy = proxy;
    }

    /**
     * Identifies it.
     *
     * @param remote the address at the other end of the connection
     * @param now seconds since the epoch
     */
    Result user(HttpFields headers, String remote, long now) {
        if (key == null) {
            return new Result(User.ANYONE, false, null);
        }
        Optional<TrustedProxy.Claim> claim = proxy.user(headers, remote);
        if (claim.isPresent()) {
            return new Result(claim.get().user(), true, claim.get().refusal());
        }
        String authorization = headers.get(HttpHeader.AUTHORIZATION);
        if (authorization != null && authorization.startsWith(BEARER)) {
            return users.byToken(authorization.substring(BEARER.length()))
                    .map(entry -> new Result(entry.user(), false, null))
                    .orElseGet(() -> Result.refused(401, "the token is wrong; needs 'Authorization: Bearer TOKEN'"));
        }
        return Session.user(headers, key, users, now)
                .map(user -> new Result(user, true, null))
                .orElseGet(() -> Result.refused(401, "needs 'Authorization: Bearer TOKEN'"));
    }
}
