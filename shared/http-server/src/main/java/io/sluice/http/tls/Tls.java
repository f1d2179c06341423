package io.sluice.http.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.LongSupplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * One end of TLS connections. Its PEM files are looked at once a second while there are handshakes; changed ones apply to new connections, and those
 * that cannot be read are logged and change nothing. Thread-safe.
 */
public final class Tls {
    /**
     * A session timeout with which a server sends no tickets: a ticket lives for a week at most (RFC 8446, section 4.6.1), and JSSE sends none that
     * would have to live longer. With a ticket a client would be admitted whose authority has been removed since.
     */
    public static final int NO_TICKETS_SECONDS = 604_801;

    private static final char[] NO_PASSWORD = {};

    private final @Nullable X509ExtendedKeyManager keys;
    private final @Nullable X509ExtendedTrustManager trust;
    private final SSLContext context;

    private Tls(@Nullable ReloadedKeys keys, @Nullable ReloadedTrust trust) throws IOException {
        this.keys = keys;
        this.trust = trust;
        try {
            context = SSLContext.getInstance("TLS");
            context.init(
                    keys == null ? null : new KeyManager[] {keys},
                    trust == null ? null : new TrustManager[] {trust},
                    null);
            if (trust != null) {
                context.getServerSessionContext().setSessionTimeout(NO_TICKETS_SECONDS);
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the files of one end.
     *
     * @param certificate with the chain, the own certificate first; {@code null} for a client without one
     * @param key of the certificate: PKCS #8, not encrypted
     * @param authorities that have signed the other ends' certificates; {@code null}: a server asks for none, a client trusts what Java trusts
     * @throws IOException naming the file and what is wrong with it
     */
    public static Tls of(@Nullable Path certificate, @Nullable Path key, @Nullable Path authorities)
            throws IOException {
        return of(certificate, key, authorities, System::nanoTime);
    }

    static Tls of(@Nullable Path certificate, @Nullable Path key, @Nullable Path authorities, LongSupplier nanos)
            throws IOException {
        ReloadedKeys keys = certificate == null || key == null
                ? null
                : new ReloadedKeys(new Reloaded<>(List.of(certificate, key), () -> keys(certificate, key), nanos));
        ReloadedTrust trust = authorities == null
                ? null
                : new ReloadedTrust(new Reloaded<>(List.of(authorities), () -> trust(authorities), nanos));
        return new Tls(keys, trust);
    }

    private static X509ExtendedKeyManager keys(Path certificate, Path key) throws IOException {
        List<X509Certificate> chain = PemFile.certificates(certificate);
        PrivateKey secret = PemFile.privateKey(key);
        if (!belong(chain.get(0).getPublicKey(), secret)) {
            throw new IOException(key + ": found a key that is not the one of the first certificate in " + certificate);
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("sluice", secret, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
            factory.init(store, NO_PASSWORD);
            return (X509ExtendedKeyManager) factory.getKeyManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new IOException(certificate + ": cannot be used: " + e.getMessage(), e);
        }
    }

    private static boolean belong(PublicKey open, PrivateKey secret) {
        try {
            String algorithm = switch (secret.getAlgorithm()) {
                case "RSA" -> "SHA256withRSA";
                case "EC" -> "SHA256withECDSA";
                default -> secret.getAlgorithm();
            };
            byte[] text = {1, 2, 3};
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(secret);
            signer.update(text);
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(open);
            verifier.update(text);
            return verifier.verify(signer.sign());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static X509ExtendedTrustManager trust(Path authorities) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD);
            int number = 0;
            for (X509Certificate authority : PemFile.certificates(authorities)) {
                store.setCertificateEntry("authority-" + number++, authority);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new IOException(authorities + ": cannot be used: " + e.getMessage(), e);
        }
    }

    /** Returns the context of new connections. */
    public SSLContext context() {
        return context;
    }

    /** Returns the own certificate and key, if there are any. */
    public @Nullable X509ExtendedKeyManager keys() {
        return keys;
    }

    /** Returns the authorities of the other ends, if they were named: a server then demands a certificate. */
    public @Nullable X509ExtendedTrustManager trust() {
        return trust;
    }
}
