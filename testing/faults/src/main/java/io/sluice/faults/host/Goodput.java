package io.sluice.faults.host;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Callers that call an HTTP service at steady rates, whether it answers or not, and how many get what they asked for. One
 * thread calls it.
 */
public final class Goodput {
    private static final long SECOND = 1_000_000_000;
    private static final int OK = 200;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI service;
    private final Duration patience;
    private final long mostBefore;
    private final AtomicLong served = new AtomicLong();

    private record Call(String caller, long interval, long at) {
        Call next() {
            return new Call(caller, interval, at + interval);
        }
    }

    /**
     * @param service where all of them call
     * @param patience an answer that takes longer is none
     * @param mostBefore most requests that may be served between a call and its answer, for a bound that does not depend on how fast the machine is
     */
    public Goodput(URI service, Duration patience, long mostBefore) {
        this.service = service;
        this.patience = patience;
        this.mostBefore = mostBefore;
    }

    /**
     * Calls for a while, and waits for the last answers.
     *
     * @param rates calls a second, by caller
     * @return the part of each caller's calls that was answered with 200 in time, 0 to 1
     */
    public Map<String, Double> of(Map<String, Integer> rates, Duration time) throws InterruptedException {
        PriorityQueue<Call> calls = new PriorityQueue<>(Comparator.comparingLong(Call::at));
        Map<String, AtomicLong> good = new ConcurrentHashMap<>();
        Map<String, AtomicLong> all = new ConcurrentHashMap<>();
        long begin = System.nanoTime();
        rates.forEach((caller, rate) -> {
            good.put(caller, new AtomicLong());
            all.put(caller, new AtomicLong());
            calls.add(new Call(caller, SECOND / rate, begin));
        });
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        while (calls.element().at() < begin + time.toNanos()) {
            Call call = calls.remove();
            calls.add(call.next());
            for (long wait = call.at() - System.nanoTime(); wait > 0; wait = call.at() - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            count(all, call.caller());
            long before = served.get();
            answers.add(client.sendAsync(request(call.caller()), HttpResponse.BodyHandlers.discarding())
                    .thenAccept(answer -> {
                        if (answer.statusCode() == OK && served.getAndIncrement() - before <= mostBefore) {
                            count(good, call.caller());
                        }
                    })
                    // too late, or not at all: not good
                    .exceptionally(failure -> null));
        }
        for (CompletableFuture<Void> answer : answers) {
            try {
                answer.get();
            } catch (ExecutionException never) {
                throw new IllegalStateException(never);
            }
        }
        Map<String, Double> parts = new TreeMap<>();
        all.forEach((caller, count) ->
                parts.put(caller, good.getOrDefault(caller, new AtomicLong()).get() / (double) count.get()));
        return parts;
    }

    private static void count(Map<String, AtomicLong> counts, String caller) {
        counts.computeIfAbsent(caller, any -> new AtomicLong()).incrementAndGet();
    }

    private HttpRequest request(String caller) {
        return HttpRequest.newBuilder(service)
                .header("X-Api-Key", caller)
                .timeout(patience)
                .build();
    }
}
