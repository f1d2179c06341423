package io.sluice.faults.history;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a history says of locks: what was decided when, and from when to when each agent turned each caller away. */
public final class LockSpans {
    private final List<Decision> decisions = new ArrayList<>();
    private final List<Span> spans = new ArrayList<>();

    /** A lock or a release as it was stored. */
    public record Decision(long append, GateLock lock) {}

    /**
     * A time during which an agent turned a caller away for a lock.
     *
     * @param until {@link Long#MAX_VALUE} when it still did at the history's end
     */
    public record Span(String agent, String caller, long from, long until) {}

    /** @param history in order of time */
    public LockSpans(List<Entry> history) {
        Map<List<String>, Long> open = new HashMap<>();
        for (Entry entry : history) {
            List<String> gate = List.of(entry.who(), entry.what());
            if (entry.is(Entry.Kind.DECIDED)) {
                decisions.add(new Decision(entry.at(), lock(entry)));
            } else if (entry.is(Entry.Kind.APPLIED)) {
                open.putIfAbsent(gate, entry.at());
            } else if (entry.is(Entry.Kind.OPENED)) {
                Long from = open.remove(gate);
                if (from != null) {
                    spans.add(new Span(entry.who(), entry.what(), from, entry.at()));
                }
            }
        }
        open.forEach((gate, from) -> spans.add(new Span(gate.get(0), gate.get(1), from, Long.MAX_VALUE)));
    }

    private static GateLock lock(Entry entry) {
        try {
            return (GateLock) GateLockJson.read(entry.what().getBytes(StandardCharsets.UTF_8))
                    .orElseThrow();
        } catch (MalformedRecord e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** In order of append time. */
    public List<Decision> decisions() {
        return List.copyOf(decisions);
    }

    /** In order of their ends; those without an end last. */
    public List<Span> spans() {
        return List.copyOf(spans);
    }

    /**
     * The last moment at which a lock that a record stored by then has given to a caller may hold; 0 when there is none. A
     * release does not count: an agent that misses it keeps the lease.
     *
     * @param maxLeaseMillis the agent's own cap
     */
    public long leaseEnd(String caller, long storedBy, long maxLeaseMillis) {
        return decisions.stream()
                .filter(it -> it.append <= storedBy)
                .filter(it -> it.lock.enforced() && it.lock.subject().contains(caller))
                .mapToLong(it -> it.append + Math.min(it.lock.ttlMillis(), maxLeaseMillis))
                .max()
                .orElse(0);
    }
}
