package io.sluice.http.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The newest authorities for each handshake. Sessions of clients with certificates cannot be resumed. Thread-safe. */
final class ReloadedTrust extends X509ExtendedTrustManager {
    private final Reloaded<X509ExtendedTrustManager> newest;

    ReloadedTrust(Reloaded<X509ExtendedTrustManager> newest) {
        this.newest = newest;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        newest.get().checkClientTrusted(chain, type, socket);
        if (socket instanceof SSLSocket tls) {
            notResumed(tls.getHandshakeSession());
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        newest.get().checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        newest.get().checkClientTrusted(chain, type, engine);
        notResumed(engine.getHandshakeSession());
    }

    /** A resumed session shows no certificate: it would outlive its authority. */
    private static void notResumed(@Nullable SSLSession session) {
        if (session != null) {
            session.invalidate();
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        newest.get().checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        newest.get().checkClientTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        newest.get().checkServerTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return newest.get().getAcceptedIssuers();
    }
}
