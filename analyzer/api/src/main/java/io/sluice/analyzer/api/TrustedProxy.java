package io.sluice.analyzer.api;

import io.sluice.contract.event.Addresses;
import io.sluice.settings.ProxySettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * A proxy that has authenticated the user, such as one with OpenID Connect, and names user and groups in headers. They count only on connections
 * from {@code http.proxy.trusted}, with the shared secret where there is one; from elsewhere they are ignored. Thread-safe.
 */
final class TrustedProxy {
    /** The header with the shared secret. */
    static final String SECRET = "X-Sluice-Proxy-Secret";

    private static final String GROUP_PREFIX = "sluice-";

    private static final String ROLE_GROUPS =
            AccessRole.spellings().stream().map(GROUP_PREFIX::concat).collect(Collectors.joining(", "));

    private final ProxySettings settings;
    private final byte @Nullable [] secret;

    /** What the headers of a request amount to: a user, or the reason of a refusal. */
    record Claim(@Nullable User user, ApiGuard.@Nullable Refusal refusal) {}

    private TrustedProxy(ProxySettings settings, byte @Nullable [] secret) {
        this.settings = settings;
        this.secret = secret;
    }

    /** @throws IOException when the shared secret cannot be read or is too short */
    static TrustedProxy of(ProxySettings settings) throws IOException {
        Path file = settings.secretFile();
        if (file == null) {
            return new TrustedProxy(settings, null);
        }
        String secret = TokenFile.read(file, "http.proxy.secret-file");
        if (secret.length() < TokenFile.SHORTEST) {
            throw new IOException("http.proxy.secret-file: " + file + " holds " + secret.length()
                    + " characters; a secret needs " + TokenFile.SHORTEST + " or more");
        }
        return new TrustedProxy(settings, secret.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the user of a request; empty where it does not come from a trusted address, or names no user.
     *
     * @param remote the address at the other end of the connection
     */
    Optional<Claim> user(HttpFields headers, String remote) {
        String address = Addresses.canonical(remote);
        if (address == null || settings.trusted().stream().noneMatch(network -> network.contains(address))) {
            return Optional.empty();
        }
        List<String> names = headers.getValuesList(settings.userHeader());
        if (names.isEmpty()) {
            return Optional.empty();
        }
        if (secret != null
                && !MessageDigest.isEqual(
                        secret, String.valueOf(headers.get(SECRET)).getBytes(StandardCharsets.UTF_8))) {
            return refused(
                    401, SECRET + " is missing or wrong; the proxy has to send the content of http.proxy.secret-file");
        }
        if (names.size() > 1 || !User.NAME.matcher(names.get(0)).matches()) {
            return refused(401, settings.userHeader() + ": allowed is one name of 1 to 64 of A-Z a-z 0-9 . _ @ + -");
        }
        Optional<AccessRole> role = role(headers);
        return role.isPresent()
                ? Optional.of(new Claim(new User(names.get(0), role.get(), true), null))
                : refused(
                        403, names.get(0) + " has no role: " + settings.groupsHeader() + " has none of " + ROLE_GROUPS);
    }

    /** Returns the greatest role among the groups. */
    private Optional<AccessRole> role(HttpFields headers) {
        return headers.getValuesList(settings.groupsHeader()).stream()
                .flatMap(value -> Stream.of(value.split(",", -1)))
                .map(String::strip)
                .filter(group -> group.startsWith(GROUP_PREFIX))
                .flatMap(group -> AccessRole.spelt(group.substring(GROUP_PREFIX.length())).stream())
                .max(AccessRole::compareTo);
    }

    private static Optional<Claim> refused(int status, String message) {
        return Optional.of(new Claim(null, new ApiGuard.Refusal(status, message)));
    }
}
