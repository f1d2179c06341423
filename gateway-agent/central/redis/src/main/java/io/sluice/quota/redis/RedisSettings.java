package io.sluice.quota.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.sluice.contract.policy.Quantities;
import io.sluice.contract.topic.MaskedSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, and how it is used.
 *
 * @param url {@code redis://HOST:PORT[/DATABASE]}, {@code rediss://…} for TLS, or {@code redis-sentinel://HOST:PORT,…#MASTER}; without a password
 * @param username null for Redis' default user; others need a password
 * @param passwordFile a file with the password in its first line; null without one
 * @param timeout after which a call fails, 10 ms to 1 minute
 * @param prefix of all keys, 1 to 64 characters without braces
 * @param maxInFlight calls that wait for an answer at most; further ones fail at once
 */
public record RedisSettings(
        String url,
        @Nullable String username,
        @Nullable Path passwordFile,
        Duration timeout,
        String prefix,
        int maxInFlight) {
    static final Set<String> NAMES = Set.of("url", "username", "password-file", "timeout", "prefix", "max-in-flight");

    private static final String NO_CLUSTER = "a Redis Cluster is not supported, since one request may charge keys of"
            + " several nodes; use one server, or Sentinel for failover";
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(10);
    private static final Duration MOST_TIMEOUT = Duration.ofMinutes(1);
    private static final int MOST_IN_FLIGHT = 1_000_000;

    /** Creates checked settings. */
    public RedisSettings {
        if (url.contains("@")) {
            throw new IllegalArgumentException("url contains a user or password; allowed: username and password-file");
        }
        if (!url.matches("rediss?://.+|redis-sentinel://.+#.+")) {
            throw new IllegalArgumentException(
                    "url is \"" + MaskedSettings.url(url)
                            + "\"; allowed: redis://HOST:PORT, rediss://HOST:PORT or redis-sentinel://HOST:PORT,HOST:PORT#MASTER");
        }
        if (username != null && passwordFile == null) {
            throw new IllegalArgumentException(
                    "username is \"" + username + "\", and password-file is missing; allowed: both or none");
        }
        if (timeout.compareTo(LEAST_TIMEOUT) < 0 || timeout.compareTo(MOST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout is " + timeout.toMillis() + " ms; 10 to 60000 ms are allowed");
        }
        if (!prefix.matches("[^{}\\s]{1,64}")) {
            throw new IllegalArgumentException(
                    "prefix is \"" + prefix + "\"; 1 to 64 characters without braces and blanks are allowed");
        }
        if (maxInFlight < 1 || maxInFlight > MOST_IN_FLIGHT) {
            throw new IllegalArgumentException("max-in-flight is " + maxInFlight + "; 1 to 1000000 are allowed");
        }
    }

    /**
     * Reads settings.
     *
     * @param settings by name; {@code url} is required
     * @param others names that are read elsewhere
     * @return checked settings
     * @throws IllegalArgumentException if one is missing, unknown or not as allowed; the message names it
     */
    static RedisSettings read(Map<String, String> settings, Set<String> others) {
        Set<String> known = new TreeSet<>(NAMES);
        known.addAll(others);
        for (String name : settings.keySet()) {
            if (!known.contains(name)) {
                String reason = name.equals("cluster") ? "; " + NO_CLUSTER : "";
                throw new IllegalArgumentException(name + " is unknown; allowed: " + String.join(", ", known) + reason);
            }
        }
        String url = settings.get("url");
        if (url == null) {
            throw new IllegalArgumentException("url is missing; required, such as redis://127.0.0.1:6379");
        }
        String file = settings.get("password-file");
        return new RedisSettings(
                url,
                settings.get("username"),
                file == null ? null : Path.of(file),
                timeout(settings.getOrDefault("timeout", "1s")),
                settings.getOrDefault("prefix", "sluice:"),
                number(settings.getOrDefault("max-in-flight", "10000")));
    }

    private static Duration timeout(String text) {
        try {
            return Duration.ofMillis(Quantities.duration(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("timeout is \"" + text + "\"; " + e.getMessage(), e);
        }
    }

    private static int number(String text) {
        if (!text.matches("[0-9]{1,8}")) {
            throw new IllegalArgumentException("max-in-flight is \"" + text + "\"; a whole number is allowed");
        }
        return Integer.parseInt(text);
    }

    /**
     * Returns the address with credentials, for Lettuce.
     *
     * @throws IllegalArgumentException if the address is none or the password cannot be read
     */
    RedisURI uri() {
        RedisURI uri = RedisURI.create(url);
        uri.setTimeout(timeout);
        if (passwordFile != null) {
            String password = password(passwordFile);
            uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> RedisCredentials.just(username, password)));
        }
        return uri;
    }

    private static String password(Path file) {
        try {
            String password =
                    Files.readString(file).lines().findFirst().orElse("").strip();
            if (password.isEmpty()) {
                throw new IllegalArgumentException(
                        "password-file " + file + " is empty; the first line is the password");
            }
            return password;
        } catch (IOException e) {
            throw new IllegalArgumentException("password-file " + file + " cannot be read: " + e, e);
        }
    }
}
