package io.sluice.analyzer.api;

import io.sluice.http.server.Responses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The files of the dashboard, from the class path: the page at {@code /}, its scripts and styles under {@code /dashboard/}. They hold no data. Files
 * that exist are kept in memory, compressed. Thread-safe.
 */
final class Dashboard {
    private static final String FOLDER = "/dashboard/";
    private static final Pattern NAME = Pattern.compile("[A-Za-z-]{1,40}\\.(js|css|svg)");
    private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
    private static final Map<String, String> VENDORED =
            Map.of("uplot.js", UPLOT + "uPlot.iife.min.js", "uplot.css", UPLOT + "uPlot.min.css");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");
    /** Nothing inline, nothing from elsewhere, and no text that becomes markup. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private final Map<String, Content> contents = new ConcurrentHashMap<>();

    private static final class Content {
        private final String type;
        private final String tag;
        private final byte[] gzip;

        Content(String type, String tag, byte[] gzip) {
            this.type = type;
            this.tag = tag;
            this.gzip = gzip;
        }
    }

    /** Returns whether a path belongs to the dashboard. */
    static boolean serves(String path) {
        return path.equals("/") || path.startsWith(FOLDER);
    }

    /** Sends the file of a path for which {@link #serves} is true, 304 where the client has it, or 404. */
    void answer(String path, Request request, Response response, Callback callback) {
        Content content = content(path.equals("/") ? "index.html" : path.substring(FOLDER.length()));
        HttpFields.Mutable headers = response.getHeaders();
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Content-Security-Policy", POLICY);
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        if (content == null) {
            Responses.problem(response, callback, 404, "there is no such file");
            return;
        }
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache");
        headers.put(HttpHeader.ETAG, content.tag);
        if (request.getHeaders().getValuesList(HttpHeader.IF_NONE_MATCH).contains(content.tag)) {
            response.setStatus(304);
            response.write(true, null, callback);
            return;
        }
        // every browser that can run the page reads it
        headers.put(HttpHeader.CONTENT_ENCODING, "gzip");
        Responses.write(response, callback, 200, content.type, content.gzip);
    }

    private @Nullable Content content(String name) {
        boolean known = name.equals("index.html") || NAME.matcher(name).matches();
        return known ? contents.computeIfAbsent(name, Dashboard::load) : null;
    }

    private static @Nullable Content load(String name) {
        try (InputStream file = Dashboard.class.getResourceAsStream(VENDORED.getOrDefault(name, "dashboard/" + name))) {
            if (file == null) {
                return null;
            }
            byte[] bytes = file.readAllBytes();
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(bytes);
            }
            String tag = '"' + HexFormat.of().formatHex(sha256(bytes), 0, 12) + '"';
            return new Content(type(name), tag, packed.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String type(String name) {
        return TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
