package io.sluice.demo.stage;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import io.sluice.agent.http.HttpSignals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Notes when a gateway began to reject a caller. A new turn begins when it had not rejected that caller for two seconds.
 * Thread-safe.
 */
final class RejectionTurns extends Filter {
    private static final long GAP_MILLIS = 2000;

    private final String header;
    private final Map<String, Turns> callers = new HashMap<>();

    private static final class Turns {
        private final List<Long> begins = new ArrayList<>();
        private long last;
    }

    /** @param header that names the caller */
    RejectionTurns(String header) {
        this.header = header;
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        chain.doFilter(exchange);
        String caller = exchange.getRequestHeaders().getFirst(header);
        if (exchange.getResponseCode() == HttpSignals.REJECT_STATUS && caller != null) {
            rejected(caller, System.currentTimeMillis());
        }
    }

    synchronized void rejected(String caller, long millis) {
        Turns turns = callers.computeIfAbsent(caller, name -> new Turns());
        if (turns.begins.isEmpty() || millis - turns.last >= GAP_MILLIS) {
            turns.begins.add(millis);
        }
        turns.last = Math.max(turns.last, millis);
    }

    /** When the first turn that began at {@code millis} or later did so, epoch milliseconds. */
    synchronized OptionalLong firstSince(String caller, long millis) {
        Turns turns = callers.get(caller);
        return turns == null
                ? OptionalLong.empty()
                : turns.begins.stream()
                        .mapToLong(begin -> begin)
                        .filter(begin -> begin >= millis)
                        .findFirst();
    }

    @Override
    public String description() {
        return "notes rejections";
    }
}
