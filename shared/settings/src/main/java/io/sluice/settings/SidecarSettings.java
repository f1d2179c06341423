package io.sluice.settings;

/**
 * Where a sidecar listens, and how it rejects.
 *
 * @param connections most connections at once, for HTTP and for gRPC each
 * @param rejectStatus the HTTP status of a rejection, from 401 to 499: proxies take 5xx for a broken gate
 * @param drainMillis how long requests in flight may take to be answered while the sidecar stops
 * @param tokens what it counts as a token server
 * @param tls of both servers
 */
public record SidecarSettings(
        Listen http,
        Listen grpc,
        int connections,
        int rejectStatus,
        long drainMillis,
        TokenStore tokens,
        TlsSettings tls) {
    /** Without TLS, with the default drain of 5 s, and no token server. */
    public SidecarSettings(Listen http, Listen grpc, int connections, int rejectStatus) {
        this(http, grpc, connections, rejectStatus, 5_000, TokenStore.OFF, TlsSettings.NONE);
    }

    /**
     * The buckets of a token server.
     *
     * @param on whether there are any
     * @param most subjects at once
     * @param full whether buckets are full after the start; otherwise they hold a chunk
     */
    public record TokenStore(boolean on, int most, boolean full) {
        /** None. */
        public static final TokenStore OFF = new TokenStore(false, 1_000_000, false);
    }

    /**
     * An address to listen on.
     *
     * @param host a name or an address, an IPv6 one without brackets
     * @param port 0 for a free one
     */
    public record Listen(String host, int port) {}
}
