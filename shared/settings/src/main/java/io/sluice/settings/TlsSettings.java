package io.sluice.settings;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of a server with TLS.
 *
 * @param certificate with the chain, the own certificate first; {@code null}: no TLS
 * @param key of the certificate; {@code null}: no TLS
 * @param clientCa authorities that have signed the certificates of clients; {@code null}: none are asked for
 */
public record TlsSettings(
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path clientCa) {
    /** No TLS. */
    public static final TlsSettings NONE = new TlsSettings(null, null, null);

    /** Returns whether there is TLS. */
    public boolean on() {
        return certificate != null && key != null;
    }
}
