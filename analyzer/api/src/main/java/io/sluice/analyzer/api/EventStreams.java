package io.sluice.analyzer.api;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server-sent events: what happens to gate locks, as it happens, each listener on a thread of its own, so that none waits for another and
 * nothing for them. Thread-safe.
 */
final class EventStreams {
    /** Each has a thread, and one of the 64 connections there are. */
    static final int MOST = 16;

    private static final Logger log = LoggerFactory.getLogger(EventStreams.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String RETRY_MILLIS = "1000";
    private static final byte[] HERE = bytes(": here\n\n");
    private static final String GAP =
            "event: gap\ndata: {\"error\":\"what came before is not kept any more; read /api/v1/locks\"}\n\n";

    private final GateEvents events;
    private final long heartbeatMillis;
    private volatile boolean closed;

    EventStreams(GateEvents events, long heartbeatMillis) {
        this.events = events;
        this.heartbeatMillis = heartbeatMillis;
    }

    /**
     * Answers with a stream, and returns at once.
     *
     * @return what is wrong, if something is: then nothing was sent yet
     */
    Optional<Answer> open(HttpExchange exchange) throws IOException {
        String header = exchange.getRequestHeaders().getFirst("Last-Event-ID");
        Optional<OffsetVector> after = header == null ? Optional.empty() : OffsetVector.of(header);
        if (header != null && after.isEmpty()) {
            return Optional.of(Answer.problem(400, "Last-Event-ID: allowed is the id of an event, such as 0:41,1:7"));
        }
        Optional<Subscription> subscription = events.listen(after.orElse(null));
        if (subscription.isEmpty()) {
            return Optional.of(Answer.problem(503, MOST + " listen already"));
        }
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        // nginx would keep events until it has a bufferful
        exchange.getResponseHeaders().set("X-Accel-Buffering", "no");
        Thread thread = new Thread(() -> run(exchange, subscription.get()), "sluice-events");
        thread.setDaemon(true);
        thread.start();
        return Optional.empty();
    }

    private void run(HttpExchange exchange, Subscription subscription) {
        try (OutputStream out = answer(exchange)) {
            begin(out, subscription);
            while (!closed && !subscription.lost()) {
                GateEvent event = subscription.next(heartbeatMillis);
                write(out, event == null ? HERE : event.text());
            }
            write(
                    out,
                    bytes(closed ? ": the analyzer ends\n\n" : ": dropped, for you read too slowly; come again\n\n"));
        } catch (IOException | InterruptedException e) {
            log.debug("a listener is gone: {}", e.toString());
        } finally {
            events.leave(subscription);
            exchange.close();
        }
    }

    private static OutputStream answer(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    private void begin(OutputStream out, Subscription subscription) throws IOException, InterruptedException {
        Subscription.Beginning beginning = null;
        while (beginning == null && !closed && !subscription.lost()) {
            beginning = subscription.beginning(heartbeatMillis);
            write(out, beginning == null ? HERE : text(beginning));
        }
    }

    private static byte[] text(Subscription.Beginning beginning) {
        // an id without data is no event, but a client reconnects with it when it has received none
        String first = "retry: " + RETRY_MILLIS + "\nid: " + beginning.from() + "\n\n";
        return bytes(beginning.gap() ? first + GAP : first);
    }

    private static void write(OutputStream out, byte[] text) throws IOException {
        Deadline deadline = Deadline.in(PATIENCE);
        try {
            out.write(text);
            out.flush();
        } finally {
            deadline.close();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Every stream ends with its next heartbeat. */
    void close() {
        closed = true;
    }
}
