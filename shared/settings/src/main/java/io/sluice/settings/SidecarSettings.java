package io.sluice.settings;

/**
 * Where a sidecar listens, and how it rejects.
 *
 * @param connections most connections at once, for HTTP and for gRPC each
 * @param rejectStatus the HTTP status of a rejection, from 401 to 499: proxies take 5xx for a broken gate
 * @param tls of both servers
 */
public record SidecarSettings(Listen http, Listen grpc, int connections, int rejectStatus, TlsSettings tls) {
    /** Without TLS. */
    public SidecarSettings(Listen http, Listen grpc, int connections, int rejectStatus) {
        this(http, grpc, connections, rejectStatus, TlsSettings.NONE);
    }

    /**
     * An address to listen on.
     *
     * @param host a name or an address, an IPv6 one without brackets
     * @param port 0 for a free one
     */
    public record Listen(String host, int port) {}
}
