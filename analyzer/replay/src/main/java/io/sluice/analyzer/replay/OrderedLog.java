package io.sluice.analyzer.replay;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The events of a log in the order of their times, equal ones in the order of their lines. An event waits until the log is
 * read so far beyond it that nothing older can follow: as far as its lines are known to be out of order.
 */
final class OrderedLog implements AutoCloseable {
    private final AccessLog log;
    private final LogFormat format;
    private final Lines lines;
    private final long disorder;
    private final Progress progress;
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
    private final long most;
    private final long events;
    private long newest = Long.MIN_VALUE;
    private long read;
    private boolean ended;

    private record Waiting(RequestEvent event, long line) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            int byTime = Long.compare(event.time(), other.event.time());
            return byTime != 0 ? byTime : Long.compare(line, other.line);
        }
    }

    /**
     * @param disorder as the first reading found it
     * @param events so many as it read: a log that is still written to has more by now, which may be out of order by more, and its last line
     *     may be whole only now
     * @param most events that may wait
     */
    OrderedLog(AccessLog log, LogFormat format, long disorder, long events, long most, Progress progress)
            throws IOException {
        this.most = most;
        this.events = events;
        this.log = log;
        this.format = format;
        this.disorder = disorder;
        this.progress = progress;
        this.lines = log.lines();
    }

    /** The next event, or {@code null} at the end. */
    @Nullable
    RequestEvent next() throws IOException {
        while (!ended && !ripe()) {
            read();
        }
        Waiting first = waiting.poll();
        return first == null ? null : first.event();
    }

    private boolean ripe() {
        Waiting first = waiting.peek();
        return first != null && first.event().time() <= newest - disorder;
    }

    private void read() throws IOException {
        byte[] line = read < events ? lines.next() : null;
        if (line == null) {
            ended = true;
            return;
        }
        progress.line(line.length);
        try {
            RequestEvent event = format.read(line);
            read++;
            if (newest != Long.MIN_VALUE && event.time() < newest - disorder) {
                // the log is another one than at the first reading
                return;
            }
            newest = Math.max(newest, event.time());
            waiting.add(new Waiting(event, read));
        } catch (MalformedRecord e) {
            // counted at the first reading
            return;
        }
        if (waiting.size() > most) {
            throw new IOException(log.name() + ": its lines are out of order by " + Duration.ofMillis(disorder)
                    + ", which is more than memory holds (" + most + " events): sort it by time first");
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
