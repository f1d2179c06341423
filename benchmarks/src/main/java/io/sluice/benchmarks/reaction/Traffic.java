package io.sluice.benchmarks.reaction;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Lets one caller after the other cross, each a new one, while the background goes on. A crossing is eleven events in a
 * burst, of which the last crosses and has a key; ten callers that stay below call meanwhile, so that the locked ones
 * are few among many. Crossings come at random moments: nothing may beat in time with the commits.
 */
final class Traffic implements AutoCloseable {
    /** Crossings a second. */
    static final int CROSSINGS = 25;

    private static final int CALM_EACH = 10;
    private static final int CALM_CALLERS = 10_000;
    private static final long LEAD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS = 1e9;

    private final Random random;
    private final KafkaProducer<byte[], byte[]> crossings;
    private final Background background;
    private final Line[] calm = new Line[CALM_CALLERS];
    private int calmNext;
    private int callers;

    Traffic(String bootstrap, Random random) {
        this.random = random;
        crossings = Clients.crossing(bootstrap);
        background = new Background(bootstrap, random);
        for (int i = 0; i < calm.length; i++) {
            calm[i] = new Line(CheckoutPolicies.CHECKOUT, "calm-" + i);
        }
    }

    /** What came of one turn. */
    record Turn(List<Crossing> crossings, double eventsPerSecond) {}

    /**
     * One turn: a second that does not count, then so many.
     *
     * @param perSecond events of all kinds
     */
    Turn turn(String topic, Witness witness, double perSecond, long nanos) throws InterruptedException {
        List<Crossing> made = new ArrayList<>();
        double own = CROSSINGS * (CALM_EACH + CheckoutPolicies.ABOVE + 1.0);
        background.start(topic, Math.max(0, perSecond - own));
        long begin = System.nanoTime();
        long end = begin + LEAD_NANOS + nanos;
        for (long next = begin; next < end; next += (long) (NANOS / CROSSINGS * (0.5 + random.nextDouble()))) {
            while (System.nanoTime() < next) {
                LockSupport.parkNanos(next - System.nanoTime());
            }
            made.add(cross(topic, witness, next - begin >= LEAD_NANOS));
        }
        double reached = background.stop() + own;
        await(made);
        return new Turn(made, reached);
    }

    private Crossing cross(String topic, Witness witness, boolean counts) {
        long now = System.currentTimeMillis();
        for (int i = 0; i < CALM_EACH; i++) {
            var unused = crossings.send(new ProducerRecord<>(topic, calm[calmNext++ % CALM_CALLERS].at(now)));
        }
        String caller = Crossing.PREFIX + callers++;
        Line line = new Line(CheckoutPolicies.CHECKOUT, caller);
        int partition = callers % Settings.PARTITIONS;
        for (int i = 0; i < CheckoutPolicies.ABOVE; i++) {
            var unused = crossings.send(new ProducerRecord<>(topic, partition, null, line.at(now)));
        }
        byte[] key = caller.getBytes(StandardCharsets.UTF_8);
        Crossing crossing = new Crossing(caller, counts, Witness.GATES, System.nanoTime(), millis());
        witness.expect(crossing);
        var unused = crossings.send(new ProducerRecord<>(topic, partition, key, line.at(now)), (metadata, failure) -> {
            if (failure == null) {
                crossing.appended(metadata.timestamp());
            }
        });
        return crossing;
    }

    private static double millis() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1e3 + now.getNano() / 1e6;
    }

    private static void await(List<Crossing> made) throws InterruptedException {
        long end = System.nanoTime() + Gates.PATIENCE_NANOS;
        while (System.nanoTime() < end && !made.stream().allMatch(Crossing::done)) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Override
    public void close() {
        background.close();
        crossings.close();
    }
}
