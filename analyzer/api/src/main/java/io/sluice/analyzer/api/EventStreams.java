package io.sluice.analyzer.api;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Server-sent events: the transitions of gate locks, as they happen, to every client as fast as it reads. Thread-safe. */
final class EventStreams {
    /** Most clients at once; one with a full queue costs some 30 KB. */
    static final int MOST = 500;

    private final GateEvents events;
    private final Set<EventStream> open = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor(EventStreams::thread);

    EventStreams(GateEvents events, long heartbeatMillis) {
        this.events = events;
        var unused = beats.scheduleWithFixedDelay(
                () -> open.forEach(EventStream::beat), heartbeatMillis, heartbeatMillis, TimeUnit.MILLISECONDS);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "sluice-events");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Answers with a stream, and returns at once.
     *
     * @return what is wrong, if something is: then nothing was sent yet
     */
    Optional<Answer> open(Request request, Response response, Callback callback) {
        String header = request.getHeaders().get("Last-Event-ID");
        Optional<OffsetVector> after = header == null ? Optional.empty() : OffsetVector.of(header);
        if (header != null && after.isEmpty()) {
            return Optional.of(Answer.problem(400, "Last-Event-ID: allowed is the id of an event, such as 0:41,1:7"));
        }
        EventStream stream =
                new EventStream(after.orElse(null), request, response, callback, this::gone, System::nanoTime);
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
        headers.put("X-Content-Type-Options", "nosniff");
        // nginx would keep events until it has a bufferful
        headers.put("X-Accel-Buffering", "no");
        open.add(stream);
        if (!events.listen(stream)) {
            open.remove(stream);
            headers.clear();
            return Optional.of(Answer.problem(503, "as many clients listen as may"));
        }
        return Optional.empty();
    }

    private void gone(EventStream stream) {
        open.remove(stream);
        events.leave(stream);
    }

    /** Returns the number of clients. */
    int open() {
        return open.size();
    }

    void close() {
        open.forEach(EventStream::close);
        beats.shutdownNow();
    }
}
