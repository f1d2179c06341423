package io.sluice.demo.traffic;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Callers that send real HTTP requests, each to all gateways in turn. Requests leave at their time, whether earlier ones
 * were answered or not, up to a bound for each caller. One thread paces, two handle the answers.
 */
public final class Traffic implements AutoCloseable {
    /** How long a request may take, in seconds: one without an answer until then has timed out. */
    public static final int PATIENCE_SECONDS = 5;

    private static final int IN_FLIGHT = 40;
    private static final int ORDERS = 997;
    private static final long STEP_MILLIS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_SECONDS);
    private static final long CLOSE_PATIENCE_MILLIS = 2000;

    private final List<URI> gateways;
    private final Answers answers;
    private final List<Line> lines = new ArrayList<>();
    private final ExecutorService executor = Executors.newFixedThreadPool(2, Traffic::daemon);
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .executor(executor)
            .build();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = daemon(this::run);
    private final long start;

    /** A caller with what is under way. */
    private static final class Line {
        private final Caller caller;
        private final Pacer pacer;
        private final AtomicInteger inFlight = new AtomicInteger();
        private int next;

        private Line(Caller caller, Pacer pacer, int next) {
            this.caller = caller;
            this.pacer = pacer;
            this.next = next;
        }
    }

    private Traffic(List<URI> gateways, List<Caller> callers, Answers answers) {
        this.gateways = List.copyOf(gateways);
        this.answers = answers;
        start = System.nanoTime();
        for (Caller caller : callers) {
            int index = lines.size();
            lines.add(new Line(caller, new Pacer((double) index / callers.size(), start), index));
        }
    }

    /** Starts calling. */
    public static Traffic start(List<URI> gateways, List<Caller> callers, Answers answers) {
        Traffic traffic = new Traffic(gateways, callers, answers);
        traffic.thread.start();
        return traffic;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "traffic");
        thread.setDaemon(true);
        return thread;
    }

    private void run() {
        try {
            while (!closing.await(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
                long now = System.nanoTime();
                long elapsed = (now - start) / 1_000_000;
                for (Line line : lines) {
                    int due = line.pacer.due(line.caller.demand().perSecond(elapsed), now);
                    for (int i = 0; i < due; i++) {
                        send(line);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Line line) {
        if (line.inFlight.get() >= IN_FLIGHT) {
            return;
        }
        int number = line.next++;
        URI gateway = gateways.get(number % gateways.size());
        HttpRequest request = HttpRequest.newBuilder(gateway.resolve("/orders/" + (1 + number % ORDERS)))
                .header("X-Api-Key", line.caller.name())
                .timeout(PATIENCE)
                .build();
        line.inFlight.incrementAndGet();
        long sent = System.currentTimeMillis();
        long begin = System.nanoTime();
        CompletableFuture<?> told = client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .whenComplete((response, failure) -> {
                    line.inFlight.decrementAndGet();
                    int status = failure == null ? response.statusCode() : unanswered(failure);
                    answers.answered(line.caller.name(), status, sent, (System.nanoTime() - begin) / 1000);
                });
        assert told != null;
    }

    /** A gateway or this process that stands still for seconds lets requests time out: that is no failure of a gateway. */
    static int unanswered(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof HttpTimeoutException ? Answers.TIMED_OUT : Answers.NONE;
    }

    /** Stops calling and waits for the answers under way, for two seconds at most. */
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join(CLOSE_PATIENCE_MILLIS);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_PATIENCE_MILLIS);
            while (lines.stream().anyMatch(line -> line.inFlight.get() > 0) && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        executor.shutdown();
    }
}
