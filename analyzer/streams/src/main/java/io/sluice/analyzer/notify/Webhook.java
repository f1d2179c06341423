package io.sluice.analyzer.notify;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One receiver. A redirect is no answer that we follow: it could lead anywhere. */
final class Webhook {
    private static final Logger log = LoggerFactory.getLogger(Webhook.class);
    private static final Set<Integer> TRY_AGAIN = Set.of(408, 425, 429);

    private final HttpClient http;
    private final URI url;
    private final byte @Nullable [] secret;
    private final Duration patience;

    /** How a receiver took it. */
    enum Answer {
        TAKEN,
        /** It failed in a way that may pass. */
        LATER,
        /** It will not take this one, however often it is asked. */
        REFUSED
    }

    /** @param patience for the whole answer */
    Webhook(URI url, byte @Nullable [] secret, Duration patience) {
        this.url = url;
        this.secret = secret;
        this.patience = patience;
        http = HttpClient.newBuilder()
                .connectTimeout(patience)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /**
     * Sends once.
     *
     * @param seconds since the epoch
     */
    Answer send(Announcement announcement, long seconds) throws InterruptedException {
        byte[] body = announcement.json();
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .header("Sluice-Id", announcement.id())
                .header("Sluice-Timestamp", Long.toString(seconds))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (secret != null) {
            request.header("Sluice-Signature", Signature.of(secret, seconds, body));
        }
        // the request's own timeout ends with the headers: a body may come for ever
        var answer = http.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
        try {
            return judged(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS).statusCode());
        } catch (ExecutionException | TimeoutException e) {
            answer.cancel(true);
            log.debug("webhook {}: {}", url.getHost(), e.toString());
            return Answer.LATER;
        }
    }

    private static Answer judged(int status) {
        if (status >= 200 && status < 300) {
            return Answer.TAKEN;
        }
        return status >= 500 || TRY_AGAIN.contains(status) ? Answer.LATER : Answer.REFUSED;
    }
}
