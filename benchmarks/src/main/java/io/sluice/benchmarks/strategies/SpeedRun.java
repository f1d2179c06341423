package io.sluice.benchmarks.strategies;

import io.sluice.agent.quota.QuotaLimit;
import io.sluice.benchmarks.workload.Zipf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * One contender with a limit that no caller reaches: {@value #CALLERS} callers by Zipf's law, first one request after the other, then as many as two
 * clients with {@value #THREADS} threads each can ask.
 *
 * @param warmUpMillis before each of the two
 * @param millis of each of the two
 */
record SpeedRun(QuotaContender contender, long warmUpMillis, long millis) {
    static final int THREADS = 8;

    /** As long as a busy machine may take: the store decides all requests. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final int CLIENTS = 2;
    private static final int CALLERS = 1_000;
    private static final int DRAWN = 1 << 16;
    private static final double EXPONENT = 1.1;
    private static final long PLENTY = 1_000_000;
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;
    private static final double MICROS = 1e6;
    private static final String[] DRAW = draw();

    private static String[] draw() {
        Zipf zipf = new Zipf(CALLERS, EXPONENT);
        Random random = new Random(1);
        String[] callers = new String[DRAWN];
        for (int i = 0; i < DRAWN; i++) {
            callers[i] = "tenant-" + zipf.next(random);
        }
        return callers;
    }

    /**
     * What came out.
     *
     * @param latency nanoseconds of requests that were asked one after the other
     * @param callsPerPermit remote calls of those for each granted permit
     * @param permitsPerSecond that both clients were granted
     * @param cpuMicros of the store for each of those permits
     * @param unanswered the part of all requests that the store did not answer
     */
    record Figures(
            Histogram latency, double callsPerPermit, double permitsPerSecond, double cpuMicros, double unanswered) {}

    Figures run() throws Exception {
        QuotaLimit limit = contender.limit("plenty", PLENTY);
        List<QuotaClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(contender.connect(limit, WAIT));
            }
            return measure(clients);
        } finally {
            clients.forEach(QuotaClient::close);
        }
    }

    private Figures measure(List<QuotaClient> clients) throws Exception {
        MeasuredStore store = contender.store();
        ask(clients.get(0), warmUpMillis, 0, new Histogram(LONGEST_NANOS, DIGITS));
        long callsBefore = store == null ? 0 : store.calls();
        Histogram latency = new Histogram(LONGEST_NANOS, DIGITS);
        long granted = ask(clients.get(0), millis, 1, latency);
        long calls = store == null ? 0 : store.calls() - callsBefore;

        together(clients, warmUpMillis);
        double cpuBefore = store == null ? 0 : store.cpuSeconds();
        long start = System.nanoTime();
        long permits = together(clients, millis);
        double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
        double cpu = store == null ? 0 : store.cpuSeconds() - cpuBefore;

        long unanswered = clients.stream().mapToLong(QuotaClient::unanswered).sum();
        return new Figures(
                latency,
                (double) calls / granted,
                permits / seconds,
                cpu * MICROS / permits,
                (double) unanswered / (permits + granted));
    }

    private static long together(List<QuotaClient> clients, long millis) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS * THREADS);
        try {
            List<Callable<Long>> tasks = new ArrayList<>();
            for (int i = 0; i < CLIENTS * THREADS; i++) {
                int number = i;
                tasks.add(
                        () -> ask(clients.get(number % CLIENTS), millis, number, new Histogram(LONGEST_NANOS, DIGITS)));
            }
            long granted = 0;
            for (Future<Long> task : threads.invokeAll(tasks)) {
                granted += task.get();
            }
            return granted;
        } finally {
            threads.shutdown();
        }
    }

    /** Returns how many were granted. */
    private static long ask(QuotaClient client, long millis, int number, Histogram latency) {
        long granted = 0;
        int next = number * (DRAWN / (CLIENTS * THREADS));
        long now = System.nanoTime();
        long end = now + TimeUnit.MILLISECONDS.toNanos(millis);
        while (now - end < 0) {
            granted += client.acquire(DRAW[next++ % DRAWN]) ? 1 : 0;
            long answered = System.nanoTime();
            latency.recordValue(Math.min(answered - now, LONGEST_NANOS));
            now = answered;
        }
        return granted;
    }
}
