package io.sluice.analyzer.replay;

import io.sluice.contract.event.RequestEvent;
import java.io.IOException;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Several ordered logs as one; at equal times the log that was named first goes first. */
final class MergedLogs {
    private final PriorityQueue<Head> heads = new PriorityQueue<>();

    private record Head(RequestEvent event, OrderedLog log, int position) implements Comparable<Head> {
        @Override
        public int compareTo(Head other) {
            int byTime = Long.compare(event.time(), other.event.time());
            return byTime != 0 ? byTime : Integer.compare(position, other.position);
        }
    }

    MergedLogs(List<OrderedLog> logs) throws IOException {
        for (int position = 0; position < logs.size(); position++) {
            advance(logs.get(position), position);
        }
    }

    /** The next event, or {@code null} at the end of all. */
    @Nullable
    RequestEvent next() throws IOException {
        Head head = heads.poll();
        if (head == null) {
            return null;
        }
        advance(head.log(), head.position());
        return head.event();
    }

    private void advance(OrderedLog log, int position) throws IOException {
        RequestEvent event = log.next();
        if (event != null) {
            heads.add(new Head(event, log, position));
        }
    }
}
