package io.sluice.agent;

import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.internal.log.LogQueue;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.pseudonym.PseudonymKey;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Composes the entries of the access log, with pseudonyms if there is a key, and queues them to be sent. Never blocks. Thread-safe. */
final class AccessLog {
    private final String id;
    private final String service;
    private final @Nullable PseudonymKey key;
    private final DecisionState decisions;
    private final LongSupplier ticks;
    private final LogQueue queue;

    AccessLog(AgentSettings settings, DecisionState decisions, LongSupplier ticks, LogQueue queue) {
        id = settings.id();
        service = settings.service();
        key = settings.pseudonyms().current();
        this.decisions = decisions;
        this.ticks = ticks;
        this.queue = queue;
    }

    void add(RequestEvent event) {
        String ip = event.ip();
        queue.put(key == null ? event : event.named(key.caller(event.caller()), ip == null ? null : key.ip(ip)));
    }

    void add(Request request, Verdict verdict, int status, long bytes, long micros, long cost) {
        Request logged = key == null ? request : request.under(key);
        queue.put(new RequestEvent(
                decisions.time(ticks.getAsLong()),
                logged.caller(),
                request.service() == null ? service : request.service(),
                request.route(),
                request.method(),
                logged.ip(),
                status < 100 || status > 599 ? 0 : status,
                Math.min(Math.max(0, bytes), RequestEvent.MAX_COST),
                Math.min(Math.max(0, micros), RequestEvent.MAX_COST),
                id,
                verdict.outcome(),
                1,
                request.identity(),
                request.labels(),
                Math.min(Math.max(0, cost), RequestEvent.MAX_COST)));
    }
}
