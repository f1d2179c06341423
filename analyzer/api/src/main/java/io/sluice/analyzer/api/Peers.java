package io.sluice.analyzer.api;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The other instances, for one request: asked all at once, each for two seconds at most. Those that did not answer are
 * listed by name. Only {@code /api/v1/local/…} is asked, which asks no other instance. A redirect is no answer: it could lead anywhere. One thread.
 */
final class Peers {
    /** Prefix of the paths that instances request from each other. */
    static final String LOCAL = "/api/v1/local/";

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final HttpClient http;
    private final String scheme;
    private final Duration patience;
    private final byte @Nullable [] token;
    private final Map<String, String> missing = new TreeMap<>();
    private final List<Asked> asked = new ArrayList<>();

    private record Asked(String address, CompletableFuture<Node.Mapping> answer, Consumer<Node.Mapping> taker) {}

    /**
     * How instances are asked.
     *
     * @param scheme of all of them: http or https
     * @param token the common token, {@code null} for none; it signs questions and is not sent itself
     * @param patience for one answer
     */
    record Access(HttpClient http, String scheme, @Nullable String token, Duration patience) {
        /** @throws IOException when the files of TLS cannot be used */
        static Access of(HttpSettings settings, @Nullable String token) throws IOException {
            return of(settings, token, PATIENCE);
        }

        static Access of(HttpSettings settings, @Nullable String token, Duration patience) throws IOException {
            HttpClient http = ApiClient.builder(settings)
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(patience)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();
            return new Access(http, ApiClient.scheme(settings), token, patience);
        }
    }

    Peers(Access access) {
        http = access.http;
        scheme = access.scheme;
        patience = access.patience;
        token = access.token == null ? null : access.token.getBytes(StandardCharsets.UTF_8);
    }

    /** Asks, and returns at once. */
    void ask(String address, String localPath, Consumer<Node.Mapping> taker) {
        URI uri = URI.create(scheme + "://" + address + LOCAL + localPath);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(patience);
        if (token != null) {
            long seconds = System.currentTimeMillis() / 1000;
            request.header("Authorization", PeerSignature.of(token, address, PeerSignature.target(uri), seconds));
        }
        CompletableFuture<Node.Mapping> answer = http.sendAsync(
                        request.build(), HttpResponse.BodyHandlers.ofByteArray())
                .thenApply(Peers::read)
                // the request's own timeout ends with the headers: a body may come for ever
                .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
        asked.add(new Asked(address, answer, taker));
    }

    private static Node.Mapping read(HttpResponse<byte[]> response) {
        try {
            Node.Mapping answer = Tree.of(response.body());
            if (response.statusCode() != 200) {
                throw new Unanswered(response.statusCode() + " " + Tree.text(answer, "error"));
            }
            return answer;
        } catch (MalformedRecord e) {
            throw new Unanswered(response.statusCode() + ", and no JSON: is it an analyzer?");
        }
    }

    /** Waits for all that was asked. */
    void await() {
        for (Asked one : asked) {
            try {
                one.taker.accept(one.answer.join());
            } catch (CompletionException e) {
                missing.put(one.address, reason(e.getCause() == null ? e : e.getCause()));
            }
        }
        asked.clear();
    }

    private String reason(Throwable failure) {
        if (failure instanceof Unanswered) {
            return "it answered " + failure.getMessage();
        }
        if (failure instanceof ConnectException) {
            return "nothing answers there";
        }
        return failure instanceof HttpTimeoutException || failure instanceof java.util.concurrent.TimeoutException
                ? "no answer within " + patience.toSeconds() + " s"
                : failure.toString();
    }

    /** Lists something that no instance could be asked for. */
    void miss(String what, String why) {
        missing.put(what, why);
    }

    /** Lists the tasks whose instances did not answer or cannot be asked. */
    void missTasks(int partitions, Set<Integer> answered) {
        for (int partition = 0; partition < partitions; partition++) {
            if (!answered.contains(partition)) {
                miss(
                        "partition " + partition,
                        "its task is on an instance that does not answer, starts just now, or has no http.port");
            }
        }
    }

    /** Returns the instances that did not answer, with the reasons. */
    Map<String, String> missing() {
        return missing;
    }

    private static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unanswered(String message) {
            super(message);
        }
    }
}
