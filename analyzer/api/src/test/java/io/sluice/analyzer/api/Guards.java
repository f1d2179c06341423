package io.sluice.analyzer.api;

import io.sluice.settings.HttpSettings;
import io.sluice.settings.ProxySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;

/** Guards with users, and requests to them from loopback. */
final class Guards {
    private Guards() {}

    static ApiGuard of(HttpSettings where, String token, Users users, String own) {
        return of(where, token, users, own, ProxySettings.NONE);
    }

    static ApiGuard of(HttpSettings where, String token, Users users, String own, ProxySettings proxy) {
        try {
            return new ApiGuard(where, token, new Authenticator(token, users, TrustedProxy.of(proxy)), own);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static HttpFields headers(String... namesAndValues) {
        HttpFields.Mutable headers = HttpFields.build();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return headers;
    }

    static ApiGuard.Admission admission(
            ApiGuard guard, String remote, String method, HttpFields headers, String target) {
        return guard.admit(new ApiGuard.RequestHead(method, headers, target, remote));
    }

    static Optional<ApiGuard.Refusal> refusal(ApiGuard guard, String method, HttpFields headers, String target) {
        return Optional.ofNullable(
                admission(guard, "127.0.0.1", method, headers, target).refusal());
    }
}
