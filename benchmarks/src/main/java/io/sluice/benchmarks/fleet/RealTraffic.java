package io.sluice.benchmarks.fleet;

import io.sluice.benchmarks.workload.Callers;
import io.sluice.benchmarks.workload.EventText;
import io.sluice.benchmarks.workload.Sender;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Sends requests to a real topic at a steady rate, one to each partition in turn, as {@link FleetSimulation} does. Thread-safe. */
final class RealTraffic implements AutoCloseable {
    private static final long PAUSE_NANOS = 5_000_000;

    private final Sender sender;
    private final String topic;
    private final int partitions;
    private final int eventsPerSecond;
    private final Callers callers = FleetBenchmark.callers();
    private final Thread thread = new Thread(this::run, "traffic");
    private volatile boolean closing;
    private volatile long sent;

    RealTraffic(String bootstrapServers, String topic, int partitions, int eventsPerSecond) {
        sender = new Sender(bootstrapServers);
        this.topic = topic;
        this.partitions = partitions;
        this.eventsPerSecond = eventsPerSecond;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        SplittableRandom random = new SplittableRandom(1);
        EventText text = new EventText(random);
        long began = System.nanoTime();
        long events = 0;
        while (!closing) {
            long until = (long) ((System.nanoTime() - began) / 1e9 * eventsPerSecond);
            for (; events < until; events++) {
                int caller = callers.next(random);
                sender.send(
                        topic,
                        (int) (events % partitions),
                        null,
                        text.next(System.currentTimeMillis(), caller, EventText.caller(caller)));
            }
            sent = events;
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Number of events sent. */
    long sent() {
        return sent;
    }

    @Override
    public void close() {
        closing = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        sender.close();
    }
}
