package io.sluice.quota.token;

import io.grpc.MethodDescriptor;
import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.quota.chunks.RendezvousHash;
import io.sluice.quota.token.TokenMessages.Charges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Quotas in token servers. Rendezvous hashing picks the server of a route. While that one is down, the next one by hash stands in, with a chunk per
 * bucket and what refills; the one that comes back begins in the same way, so each change of the server grants a chunk more at most. Thread-safe.
 */
final class TokenServerQuota implements QuotaStrategy {
    private static final int SENDERS = 8;

    private final TokenServerSettings settings;
    private final RendezvousHash hash;
    private final Map<String, TokenServer> servers = new LinkedHashMap<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final ScheduledExecutorService timer;
    private volatile boolean closed;

    TokenServerQuota(TokenServerSettings settings) {
        this.settings = settings;
        hash = new RendezvousHash(settings.servers());
        try {
            settings.servers().forEach(address -> servers.put(address, new TokenServer(address, settings)));
        } catch (RuntimeException e) {
            servers.values().forEach(TokenServer::close);
            throw e;
        }
        timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "sluice-quota-token-server");
            thread.setDaemon(true);
            return thread;
        });
        var unused = timer.scheduleWithFixedDelay(
                () -> servers.values().forEach(TokenServer::probe),
                settings.probeMillis(),
                settings.probeMillis(),
                TimeUnit.MILLISECONDS);
    }

    @Override
    public String name() {
        return TokenServerProvider.NAME;
    }

    @Override
    public Set<Algorithm> algorithms() {
        return Set.of(Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW);
    }

    /** Charges of several routes are asked for one route after the other; when one is refused, the earlier ones are returned. */
    @Override
    public CompletionStage<QuotaAnswer> acquire(List<QuotaCharge> charges) {
        List<List<QuotaCharge>> routes = routes(charges);
        if (routes.size() == 1) {
            return askForPermits(charges);
        }
        return acquire(charges, routes, 0, QuotaAnswer.granted(0, Long.MAX_VALUE));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what cannot be returned is lost
    private CompletionStage<QuotaAnswer> acquire(
            List<QuotaCharge> all, List<List<QuotaCharge>> routes, int at, QuotaAnswer least) {
        if (at == routes.size()) {
            return CompletableFuture.completedFuture(least);
        }
        List<QuotaCharge> charges = routes.get(at);
        return askForPermits(charges)
                .whenComplete((answer, failure) -> {
                    if (failure != null || !answer.granted()) {
                        routes.subList(0, at)
                                .forEach(taken -> ask(TokenMessages.ADJUST, taken, charge -> -charge.permits()));
                    }
                })
                .thenCompose(answer -> {
                    QuotaAnswer own = new QuotaAnswer(
                            answer.granted(),
                            all.indexOf(charges.get(answer.charge())),
                            answer.remaining(),
                            answer.retryAfterNanos());
                    return own.granted()
                            ? acquire(all, routes, at + 1, own.remaining() < least.remaining() ? own : least)
                            : CompletableFuture.completedFuture(own);
                });
    }

    /**
     * Corrections are sent in messages of one route and of as many charges as a server takes, {@value #SENDERS} at a time whatever the limit of requests
     * in flight: what a full queue refused would be lost.
     */
    @Override
    public CompletionStage<Void> adjust(List<QuotaCharge> corrections) {
        Queue<List<QuotaCharge>> messages = new ConcurrentLinkedQueue<>();
        for (List<QuotaCharge> charges : routes(corrections)) {
            for (int from = 0; from < charges.size(); from += TokenService.MOST_CHARGES) {
                messages.add(charges.subList(from, Math.min(charges.size(), from + TokenService.MOST_CHARGES)));
            }
        }
        return CompletableFuture.allOf(
                Stream.generate(() -> adjustAll(messages)).limit(SENDERS).toArray(CompletableFuture<?>[]::new));
    }

    /** Sends messages one after the other, also after one that fails. */
    private CompletableFuture<Void> adjustAll(Queue<List<QuotaCharge>> messages) {
        List<QuotaCharge> message = messages.poll();
        if (message == null) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<QuotaAnswer> sent = ask(TokenMessages.ADJUST, message, QuotaCharge::permits);
        CompletableFuture<Void> rest =
                sent.handle((answer, failure) -> messages).thenCompose(this::adjustAll);
        return CompletableFuture.allOf(sent, rest);
    }

    private static List<List<QuotaCharge>> routes(List<QuotaCharge> charges) {
        Map<String, List<QuotaCharge>> routes = new LinkedHashMap<>();
        charges.forEach(charge -> routes.computeIfAbsent(charge.route(), route -> new ArrayList<>())
                .add(charge));
        return List.copyOf(routes.values());
    }

    private CompletableFuture<QuotaAnswer> askForPermits(List<QuotaCharge> charges) {
        if (inFlight.incrementAndGet() > settings.inFlight()) {
            inFlight.decrementAndGet();
            return CompletableFuture.failedFuture(new IOException(settings.inFlight()
                    + " requests wait for token servers already (agent.quota.token-server.in-flight)"));
        }
        CompletableFuture<QuotaAnswer> asked;
        try {
            asked = ask(TokenMessages.ACQUIRE, charges, QuotaCharge::permits);
        } catch (RuntimeException | Error e) {
            asked = CompletableFuture.failedFuture(e);
        }
        return asked.whenComplete((answer, failure) -> inFlight.decrementAndGet());
    }

    private CompletableFuture<QuotaAnswer> ask(
            MethodDescriptor<Charges, QuotaAnswer> method,
            List<QuotaCharge> charges,
            ToLongFunction<QuotaCharge> permits) {
        // a channel that another thread works on ends a moment after it was shut down
        if (closed) {
            return CompletableFuture.failedFuture(new IOException("the client of token servers is closed"));
        }
        List<TokenCharge> sent = charges.stream()
                .map(charge -> TokenCharge.of(charge, permits.applyAsLong(charge)))
                .toList();
        List<String> ranked = hash.ranked(charges.get(0).route());
        int first = firstUp(ranked, 0);
        return first < 0
                ? CompletableFuture.failedFuture(new IOException("no token server answers: " + settings.servers()))
                : ask(method, sent, ranked, first);
    }

    /** Asks a server, and the next ones while they are not there. A late answer ends it: the permits may have been taken. */
    private CompletableFuture<QuotaAnswer> ask(
            MethodDescriptor<Charges, QuotaAnswer> method, List<TokenCharge> charges, List<String> ranked, int rank) {
        long avoided = 0;
        for (String earlier : ranked.subList(0, rank)) {
            TokenServer server = server(earlier);
            server.replaced();
            long since = Math.max(1, System.nanoTime() - server.downSince());
            avoided = avoided == 0 ? since : Math.min(avoided, since);
        }
        return server(ranked.get(rank))
                .call(method, new Charges(charges, avoided))
                .exceptionallyCompose(failure -> {
                    int next = firstUp(ranked, rank + 1);
                    return TokenServer.unavailable(failure) && next > rank
                            ? ask(method, charges, ranked, next)
                            : CompletableFuture.failedFuture(new IOException(
                                    "token server " + ranked.get(rank) + ": " + failure.getMessage(), failure));
                });
    }

    /** Returns the rank of the first server from there that is up, or -1. One that stands alone is always asked: no other one has replaced it. */
    private int firstUp(List<String> ranked, int from) {
        for (int rank = from; rank < ranked.size(); rank++) {
            if (!server(ranked.get(rank)).down()) {
                return rank;
            }
        }
        return ranked.size() == 1 && from == 0 ? 0 : -1;
    }

    private TokenServer server(String address) {
        TokenServer server = servers.get(address);
        if (server == null) {
            throw new IllegalStateException(address + " is not a server");
        }
        return server;
    }

    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        servers.values().forEach(TokenServer::close);
    }
}
