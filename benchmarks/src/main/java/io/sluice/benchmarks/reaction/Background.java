package io.sluice.benchmarks.reaction;

import io.sluice.benchmarks.workload.Zipf;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The orders service's access log at an even rate: 100,000 callers, zipf(1.1). One thread of its own. */
final class Background implements AutoCloseable {
    private static final int CALLERS = 100_000;
    private static final double EXPONENT = 1.1;
    private static final int LINES = 1 << 16;
    private static final long STEP_NANOS = 500_000;
    private static final double NANOS = 1e9;

    private final KafkaProducer<byte[], byte[]> producer;
    private final Line[] lines = new Line[LINES];
    private volatile boolean running;
    private Thread thread = new Thread(() -> {});
    private volatile long sent;
    private long began;

    Background(String bootstrap, Random random) {
        producer = Clients.log(bootstrap);
        Zipf callers = new Zipf(CALLERS, EXPONENT);
        for (int i = 0; i < lines.length; i++) {
            lines[i] = new Line(CheckoutPolicies.ORDERS, "caller-" + callers.next(random));
        }
    }

    /** Begins to write to a topic. */
    void start(String topic, double perSecond) {
        running = true;
        sent = 0;
        began = System.nanoTime();
        thread = new Thread(() -> run(topic, perSecond), "background");
        thread.start();
    }

    private void run(String topic, double perSecond) {
        long count = 0;
        while (running) {
            long due = (long) (perSecond * (System.nanoTime() - began) / NANOS);
            long now = System.currentTimeMillis();
            while (count < due && running) {
                var unused = producer.send(new ProducerRecord<>(topic, lines[(int) (count & (LINES - 1))].at(now)));
                count++;
            }
            sent = count;
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    /** Ends, and says how many events a second it wrote: fewer than asked for where the machine could not. */
    double stop() throws InterruptedException {
        running = false;
        thread.join();
        double perSecond = sent * NANOS / (System.nanoTime() - began);
        producer.flush();
        return perSecond;
    }

    @Override
    public void close() {
        running = false;
        producer.close();
    }
}
