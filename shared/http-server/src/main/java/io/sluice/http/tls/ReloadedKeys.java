package io.sluice.http.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** The newest certificate and key for each handshake. A handshake that has begun ends with those that it began with. Thread-safe. */
final class ReloadedKeys extends X509ExtendedKeyManager {
    private static final int KEPT = 4;

    private final Reloaded<X509ExtendedKeyManager> newest;
    private final Deque<X509ExtendedKeyManager> kept = new ArrayDeque<>();
    /** Of the newest one in {@link #kept}. */
    private long number;

    ReloadedKeys(Reloaded<X509ExtendedKeyManager> newest) {
        this.newest = newest;
    }

    private synchronized @Nullable String named(@Nullable String alias, X509ExtendedKeyManager keys) {
        if (alias == null) {
            return null;
        }
        if (kept.peekLast() != keys) {
            kept.addLast(keys);
            number++;
            if (kept.size() > KEPT) {
                kept.removeFirst();
            }
        }
        return number + ":" + alias;
    }

    private synchronized X509ExtendedKeyManager of(String alias) {
        long back = number - Long.parseLong(alias.substring(0, alias.indexOf(':')));
        return kept.stream()
                .skip(Math.max(0, kept.size() - 1 - back))
                .findFirst()
                .orElseThrow();
    }

    private static String own(String alias) {
        return alias.substring(alias.indexOf(':') + 1);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String type, Principal @Nullable [] issuers, SSLEngine engine) {
        X509ExtendedKeyManager keys = newest.get();
        return named(keys.chooseEngineServerAlias(type, issuers, engine), keys);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(String[] types, Principal @Nullable [] issuers, SSLEngine engine) {
        X509ExtendedKeyManager keys = newest.get();
        return named(keys.chooseEngineClientAlias(types, issuers, engine), keys);
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, Socket socket) {
        X509ExtendedKeyManager keys = newest.get();
        return named(keys.chooseServerAlias(type, issuers, socket), keys);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, Socket socket) {
        X509ExtendedKeyManager keys = newest.get();
        return named(keys.chooseClientAlias(types, issuers, socket), keys);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return of(alias).getCertificateChain(own(alias));
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return of(alias).getPrivateKey(own(alias));
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return null;
    }
}
