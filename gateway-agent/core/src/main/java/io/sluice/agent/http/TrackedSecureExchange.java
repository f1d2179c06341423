package io.sluice.agent.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** {@link TrackedExchange} over TLS: delegates to the server's exchange and reports to {@link ExchangeCompletion} what can end it. */
final class TrackedSecureExchange extends HttpsExchange {
    private final HttpsExchange exchange;
    private final ExchangeCompletion end;

    TrackedSecureExchange(HttpsExchange exchange, ExchangeCompletion end) {
        this.exchange = exchange;
        this.end = end;
    }

    @Override
    public void sendResponseHeaders(int status, long length) throws IOException {
        end.sendResponseHeaders(status, length);
    }

    @Override
    public void close() {
        end.close();
    }

    @Override
    public OutputStream getResponseBody() {
        return exchange.getResponseBody();
    }

    @Override
    public Headers getRequestHeaders() {
        return exchange.getRequestHeaders();
    }

    @Override
    public Headers getResponseHeaders() {
        return exchange.getResponseHeaders();
    }

    @Override
    public URI getRequestURI() {
        return exchange.getRequestURI();
    }

    @Override
    public String getRequestMethod() {
        return exchange.getRequestMethod();
    }

    @Override
    public HttpContext getHttpContext() {
        return exchange.getHttpContext();
    }

    @Override
    public InputStream getRequestBody() {
        return exchange.getRequestBody();
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return exchange.getRemoteAddress();
    }

    @Override
    public int getResponseCode() {
        return exchange.getResponseCode();
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return exchange.getLocalAddress();
    }

    @Override
    public String getProtocol() {
        return exchange.getProtocol();
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return exchange.getAttribute(name);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        exchange.setAttribute(name, value);
    }

    @Override
    public void setStreams(@Nullable InputStream in, @Nullable OutputStream out) {
        exchange.setStreams(in, out);
    }

    @Override
    public @Nullable HttpPrincipal getPrincipal() {
        return exchange.getPrincipal();
    }

    @Override
    public SSLSession getSSLSession() {
        return exchange.getSSLSession();
    }
}
