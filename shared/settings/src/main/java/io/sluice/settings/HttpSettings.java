package io.sluice.settings;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address of the analyzer's pages, and the access to them.
 *
 * @param port 0 for none
 * @param tokenFile holds the token that the API asks for; {@code null}: none, and it answers on loopback only
 * @param writes whether requests with the token may change what operators may; never without a token
 * @param allowedHosts further names and addresses by which the API may be asked for, IPv6 ones in brackets
 * @param tls of the server
 * @param ca authorities that have signed the certificates of analyzers, for commands and other instances; {@code null}: those that Java trusts
 * @param usersFile holds the name, role and token of each user; {@code null}: only the token of {@code tokenFile}
 * @param proxy signs users in
 */
public record HttpSettings(
        String bind,
        int port,
        @Nullable Path tokenFile,
        boolean writes,
        List<String> allowedHosts,
        TlsSettings tls,
        @Nullable Path ca,
        @Nullable Path usersFile,
        ProxySettings proxy) {
    public HttpSettings {
        allowedHosts = List.copyOf(allowedHosts);
    }

    /** Without users of their own. */
    public HttpSettings(
            String bind,
            int port,
            @Nullable Path tokenFile,
            boolean writes,
            List<String> allowedHosts,
            TlsSettings tls,
            @Nullable Path ca) {
        this(bind, port, tokenFile, writes, allowedHosts, tls, ca, null, ProxySettings.NONE);
    }

    /** Without TLS. */
    public HttpSettings(String bind, int port, @Nullable Path tokenFile, boolean writes, List<String> allowedHosts) {
        this(bind, port, tokenFile, writes, allowedHosts, TlsSettings.NONE, null);
    }

    /** For reading alone. */
    public HttpSettings(String bind, int port, @Nullable Path tokenFile, List<String> allowedHosts) {
        this(bind, port, tokenFile, false, allowedHosts);
    }

    /** Without a token, under no further name. */
    public HttpSettings(String bind, int port) {
        this(bind, port, null, List.of());
    }
}
