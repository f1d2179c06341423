package io.sluice.analyzer.api;

import io.sluice.analyzer.Plural;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The tokens, users and the proxy's secret in the files of section {@code http}. A file may be a pipe, which gives its content only once. Immutable. */
public final class ApiSecrets {
    private final @Nullable String token;
    private final Users users;
    private final TrustedProxy proxy;

    private ApiSecrets(@Nullable String token, Users users, TrustedProxy proxy) {
        this.token = token;
        this.users = users;
        this.proxy = proxy;
    }

    /**
     * Reads each file once.
     *
     * @throws IOException when one can't be read or has errors, or a token is too short to be one; no token is in the message
     */
    public static ApiSecrets read(HttpSettings where) throws IOException {
        String token = token(where.tokenFile());
        return new ApiSecrets(token, Users.of(token, where.usersFile()), TrustedProxy.of(where.proxy()));
    }

    private static @Nullable String token(@Nullable Path file) throws IOException {
        if (file == null) {
            return null;
        }
        String token = TokenFile.read(file, "http.token-file");
        if (token.length() < TokenFile.SHORTEST) {
            throw new IOException("http.token-file: " + file + " holds " + Plural.of(token.length(), "character")
                    + "; a token needs 16 or more, such as 'openssl rand -hex 32' makes");
        }
        return token;
    }

    /** Returns the common token; {@code null} for none. */
    @Nullable
    String token() {
        return token;
    }

    Users users() {
        return users;
    }

    TrustedProxy proxy() {
        return proxy;
    }
}
