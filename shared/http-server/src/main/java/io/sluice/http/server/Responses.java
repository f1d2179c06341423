package io.sluice.http.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Whole responses, written without waiting for the client to read them. */
public final class Responses {
    /** RFC 9457. */
    public static final String PROBLEM = "application/problem+json";

    private Responses() {}

    /** Sends a body and completes the exchange. */
    public static void write(Response response, Callback callback, int status, String type, byte[] body) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    /** @param title without anything that would have to be escaped in JSON */
    public static void problem(Response response, Callback callback, int status, String title) {
        String body = "{\"title\":\"" + title + "\",\"status\":" + status + "}";
        write(response, callback, status, PROBLEM, body.getBytes(StandardCharsets.UTF_8));
    }
}
