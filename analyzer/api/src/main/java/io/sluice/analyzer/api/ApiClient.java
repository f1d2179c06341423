package io.sluice.analyzer.api;

import io.sluice.http.tls.Tls;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.TlsSettings;
import java.io.IOException;
import java.net.http.HttpClient;

/** Clients of analyzers' pages, with TLS where the settings have it. */
public final class ApiClient {
    /** The error of an analyzer that has just started, with status 503. */
    public static final String STILL_READING = "the topics are still being read";

    private ApiClient() {}

    /** Returns {@code http}, or {@code https} if analyzers of these settings serve TLS. */
    public static String scheme(HttpSettings settings) {
        return settings.tls().on() || settings.ca() != null ? "https" : "http";
    }

    /**
     * Returns a builder of clients that trust {@code http.tls.ca}, and show the own certificate where one is asked for.
     *
     * @throws IOException when the files of TLS cannot be used
     */
    public static HttpClient.Builder builder(HttpSettings settings) throws IOException {
        HttpClient.Builder builder = HttpClient.newBuilder();
        TlsSettings files = settings.tls();
        if (files.on() || settings.ca() != null) {
            builder.sslContext(
                    Tls.of(files.certificate(), files.key(), settings.ca()).context());
        }
        return builder;
    }
}
