package io.sluice.faults.host;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Callers that call at steady rates, on one thread. How long a check and its log entry take is recorded in nanoseconds, with the
 * calls that a stall held up counted as well. {@code bytes} of each logged entry is its
 * number, so that each stored one can be told from the others.
 */
final class Traffic implements AutoCloseable {
    private static final long SECOND = 1_000_000_000;
    /** Who calls less often than once in so long is meant to stay under every limit. */
    private static final long OFFENDERS_INTERVAL = SECOND / 20;

    private static final int ACCEPTED = 200;
    private static final int REJECTED = 429;

    private final GateAgent agent;
    private final LongAdder exceptions = new LongAdder();
    private Histogram nanos = histogram();
    private long number;
    private volatile boolean stopped = true;
    private Thread thread = new Thread(() -> {});

    private static final class Caller {
        final Request request;
        final long interval;
        long next;

        Caller(Request request, long interval, long next) {
            this.request = request;
            this.interval = interval;
            this.next = next;
        }

        /** An offender makes up for calls that were held up, for its demand is constant; of others they would be a burst over their limit. */
        void called(long now) {
            next += interval;
            if (interval > OFFENDERS_INTERVAL && next - now < 0) {
                next = now + interval;
            }
        }
    }

    Traffic(GateAgent agent) {
        this.agent = agent;
    }

    private static Histogram histogram() {
        return new Histogram(60 * SECOND, 3);
    }

    /** @param rates {@code CALLER=PER_SECOND} each; none: no traffic. It takes the place of what was before */
    String run(List<String> rates) throws InterruptedException {
        stop();
        if (!rates.isEmpty()) {
            long now = System.nanoTime();
            PriorityQueue<Caller> callers = new PriorityQueue<>(Comparator.comparingLong(caller -> caller.next));
            double total = 0;
            for (String rate : rates) {
                String[] pair = rate.split("=", 2);
                double perSecond = Double.parseDouble(pair[1]);
                total += perSecond;
                Request request =
                        agent.request(pair[0]).route("/orders").method("GET").build();
                callers.add(new Caller(request, (long) (SECOND / perSecond), now));
            }
            long interval = (long) (SECOND / total);
            stopped = false;
            thread = new Thread(() -> call(callers, interval), "host-traffic");
            thread.setDaemon(true);
            thread.start();
        }
        return "traffic " + rates;
    }

    private void call(PriorityQueue<Caller> callers, long interval) {
        while (!stopped) {
            Caller caller = callers.remove();
            long wait = caller.next - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(wait);
            }
            if (caller.next - System.nanoTime() <= 0) {
                call(caller.request, interval);
                caller.called(System.nanoTime());
            }
            callers.add(caller);
        }
    }

    private void call(Request request, long interval) {
        long begin = System.nanoTime();
        try (Verdict verdict = agent.check(request)) {
            agent.log(request, verdict, verdict.allowed() ? ACCEPTED : REJECTED, ++number, 1);
        } catch (RuntimeException | Error e) {
            exceptions.increment();
        }
        long took = System.nanoTime() - begin;
        synchronized (this) {
            nanos.recordValueWithExpectedInterval(Math.min(took, nanos.getHighestTrackableValue()), interval);
        }
    }

    long exceptions() {
        return exceptions.sum();
    }

    /** What was recorded since it was last asked. */
    String figures() {
        Histogram recorded;
        synchronized (this) {
            recorded = nanos;
            nanos = histogram();
        }
        List<String> figures = new ArrayList<>();
        figures.add("count=" + recorded.getTotalCount());
        figures.add("p50=" + recorded.getValueAtPercentile(50));
        figures.add("p99=" + recorded.getValueAtPercentile(99));
        figures.add("p999=" + recorded.getValueAtPercentile(99.9));
        figures.add("max=" + recorded.getMaxValue());
        figures.add("exceptions=" + exceptions());
        return String.join(" ", figures);
    }

    private void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
