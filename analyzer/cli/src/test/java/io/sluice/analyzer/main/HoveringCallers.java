package io.sluice.analyzer.main;

import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Callers that stay between 50 and 120 % of a limit: half of them swing through all of it, half keep to a rate below the
 * limit. A third of the events comes up to two seconds after its time, and some come twice.
 */
final class HoveringCallers implements AutoCloseable {
    private static final double LEAST = 0.5;
    private static final double MOST = 1.2;
    private static final double LATE = 0.3;
    private static final double TWICE = 0.02;
    private static final int MOST_LATE_MILLIS = 2_000;
    private static final long STEP_NANOS = 10_000_000;

    private final String topic;
    private final int partitions;
    private final Random random;
    private final List<Caller> callers = new ArrayList<>();
    private final PriorityQueue<Event> waiting = new PriorityQueue<>(Comparator.comparingLong(Event::sentAt));
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread;

    private record Event(String caller, long time, long sentAt) {}

    /** One that swings between two parts of its limit, or does not when they are the same. */
    private static final class Caller {
        final String name;
        final double middle;
        final double swing;
        final double phase;
        double next;

        Caller(String name, double middle, double swing, double phase) {
            this.name = name;
            this.middle = middle;
            this.swing = swing;
            this.phase = phase;
        }

        double part(double time, double period) {
            return middle + swing * Math.sin(2 * Math.PI * (time / period + phase));
        }
    }

    /** @param limit so many events are allowed in a window */
    HoveringCallers(String topic, int partitions, int many, long seed, double limit, long windowMillis) {
        this.topic = topic;
        this.partitions = partitions;
        this.random = new Random(seed);
        for (int i = 0; i < many; i++) {
            boolean swings = i % 2 == 0;
            double middle = swings ? (LEAST + MOST) / 2 : LEAST + (1 - LEAST) * random.nextDouble();
            callers.add(new Caller("caller-" + i, middle, swings ? (MOST - LEAST) / 2 : 0, random.nextDouble()));
        }
        thread = new Thread(() -> send(limit / windowMillis, 3.0 * windowMillis), "callers");
    }

    void start() {
        thread.start();
    }

    private void send(double rate, double period) {
        long now = System.currentTimeMillis();
        callers.forEach(caller -> caller.next = System.currentTimeMillis() + random.nextDouble() / rate);
        try (KafkaProducer<byte[], byte[]> producer = TestKafka.producer()) {
            while (!stopped.get() || !waiting.isEmpty()) {
                now = System.currentTimeMillis();
                for (Caller caller : callers) {
                    while (!stopped.get() && caller.next <= now) {
                        happens(caller.name, (long) caller.next);
                        caller.next += (0.5 + random.nextDouble()) / (rate * caller.part(caller.next, period));
                    }
                }
                while (!waiting.isEmpty() && waiting.element().sentAt <= now) {
                    Event event = waiting.remove();
                    var unused = producer.send(new ProducerRecord<>(
                            topic,
                            random.nextInt(partitions),
                            null,
                            TestKafka.utf8(TestFleet.event(event.caller, event.time))));
                }
                LockSupport.parkNanos(STEP_NANOS);
            }
        }
    }

    private void happens(String caller, long time) {
        long delay = random.nextDouble() < LATE ? random.nextInt(MOST_LATE_MILLIS) : 0;
        waiting.add(new Event(caller, time, time + delay));
        if (random.nextDouble() < TWICE) {
            waiting.add(new Event(caller, time, time + random.nextInt(MOST_LATE_MILLIS)));
        }
    }

    /** No more; what was held back has been sent when this returns. */
    @Override
    public void close() {
        stopped.set(true);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
