package io.sluice.benchmarks.analyzer;

import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.workload.Usage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A peer in its process: reads a log from its beginning, and after the warm-up tells what a span of it cost. */
final class PeerChild {
    private static final long LOOK_MILLIS = 10;
    /** A log at its end has no more events for so long. */
    private static final double QUIET_SECONDS = 2;

    private PeerChild() {}

    /** Arguments: the peer, the broker, the topic, milliseconds of warm-up and of the span, a folder for state. */
    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        AtomicLong events = new AtomicLong();
        Peer peer = Peer.valueOf(arguments[0]);
        AutoCloseable running = peer.start(arguments[1], arguments[2], Path.of(arguments[5]), events);
        measure(events, millis(arguments[3]), millis(arguments[4]));
        running.close();
    }

    private static Duration millis(String argument) {
        return Duration.ofMillis(Long.parseLong(argument));
    }

    private static void measure(AtomicLong events, Duration warmUp, Duration longest) throws InterruptedException {
        while (events.get() == 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        TimeUnit.MILLISECONDS.sleep(warmUp.toMillis());
        Usage span = Usage.begin(events.get());
        long seen = 0;
        double moved = 0;
        while (span.seconds() < longest.toMillis() / 1000.0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            long now = events.get();
            if (now != seen) {
                seen = now;
                moved = span.seconds();
            } else if (span.seconds() - moved > QUIET_SECONDS) {
                break;
            }
        }
        span.tell(events.get(), moved);
    }
}
