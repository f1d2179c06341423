package io.sluice.neighbours;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Ways to ask that several doors share. */
public final class Doors {
    private static final int OK = 200;
    private static final int TOO_MANY_REQUESTS = 429;

    private Doors() {}

    /** A GET over HTTP, with the caller's name in {@code X-Api-Key}; anything but 200 and 429 is thrown. */
    public static Crowd.Door http(URI uri) {
        HttpClient client = HttpClient.newHttpClient();
        return caller -> {
            HttpRequest request =
                    HttpRequest.newBuilder(uri).header("X-Api-Key", caller).build();
            int status =
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (status != OK && status != TOO_MANY_REQUESTS) {
                throw new IOException(uri + " answered " + status);
            }
            return status == OK;
        };
    }
}
