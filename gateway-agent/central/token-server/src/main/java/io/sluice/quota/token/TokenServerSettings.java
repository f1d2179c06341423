package io.sluice.quota.token;

import io.sluice.agent.quota.QuotaSettings;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings below {@code agent.quota.token-server}.
 *
 * @param servers {@code HOST:PORT} of each, the same names at all clients; required
 * @param tls whether connections are encrypted; default false
 * @param authorities PEM file that the servers' certificates are held against, {@code ca}; null: what Java trusts
 * @param certificate PEM file of the client's certificate, or null
 * @param key PEM file of its key, or null
 * @param timeoutMillis how long a server may take to answer; 10 ms to 60 s, default 250 ms
 * @param probeMillis how often a server that failed is tried again; 10 ms to 60 s, default 1 s
 * @param inFlight most requests for permits at once, {@code in-flight}; 1 to 100,000, default 1,024
 */
record TokenServerSettings(
        List<String> servers,
        boolean tls,
        @Nullable File authorities,
        @Nullable File certificate,
        @Nullable File key,
        long timeoutMillis,
        long probeMillis,
        int inFlight) {
    private static final Pattern SERVER = Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^:\\s\\[\\]]+):\\d{1,5}");
    private static final int MOST_PORT = 65_535;
    private static final String ALLOWED =
            "HOST:PORT of each sidecar with sidecar.token-server, separated by commas, none twice";

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException with all problems, one per line
     */
    static TokenServerSettings of(Map<String, String> settings) {
        QuotaSettings from = new QuotaSettings(TokenServerProvider.NAME, settings);
        List<String> servers = Arrays.stream(from.required("servers", ALLOWED).split(",", -1))
                .map(String::strip)
                .filter(server -> !server.isEmpty())
                .toList();
        boolean valid = servers.stream().allMatch(TokenServerSettings::valid)
                && servers.stream().distinct().count() == servers.size();
        if (!servers.isEmpty() && !valid) {
            from.problem("servers", ALLOWED);
        }
        TokenServerSettings read = new TokenServerSettings(
                servers,
                from.truth("tls", false),
                file(from, "ca"),
                file(from, "certificate"),
                file(from, "key"),
                from.millis("timeout", 250, 10, 60_000),
                from.millis("probe", 1_000, 10, 60_000),
                from.number("in-flight", 1_024, 1, 100_000));
        if ((read.certificate == null) != (read.key == null)) {
            from.problem(
                    read.key == null ? "key" : "certificate", "a PEM file, for a certificate and its key go together");
        }
        from.check();
        return read;
    }

    private static boolean valid(String server) {
        return SERVER.matcher(server).matches()
                && Integer.parseInt(server.substring(server.lastIndexOf(':') + 1)) <= MOST_PORT;
    }

    private static @Nullable File file(QuotaSettings from, String key) {
        Path path = from.path(key);
        if (path == null) {
            return null;
        }
        File file = path.toFile();
        if (!file.canRead()) {
            from.problem(key, "a PEM file that can be read");
        }
        return file;
    }
}
