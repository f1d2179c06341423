package io.sluice.benchmarks.workload;

import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * An access log whose events come at a steady pace and end now: written as fast as it goes, it reads like one that took
 * minutes or days. Records carry the event's time (CreateTime), so that to the analyzer it was appended then. No keys.
 *
 * @param topic made by {@link #write}
 * @param events how many
 * @param span from the first event to the last, in milliseconds
 * @param seed the same seed gives the same callers
 */
public record PacedLog(String topic, int partitions, long events, long span, long seed, Callers callers) {

    /** An event's time from the first one on, in milliseconds. */
    long offset(long n) {
        return (long) (n * (span / (double) events));
    }

    /**
     * Makes the topic and fills it.
     *
     * @throws IllegalStateException when the broker did not take an event
     */
    public void write(String bootstrapServers) throws ExecutionException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        EventText text = new EventText(random);
        long begin = System.currentTimeMillis() - span;
        EventLog.fill(bootstrapServers, topic, partitions, "CreateTime", events, n -> {
            int number = callers.next(random);
            long time = begin + offset(n);
            byte[] event = text.next(time, number, EventText.caller(number));
            return new ProducerRecord<>(topic, (int) (n / EventLog.TURN % partitions), time, null, event);
        });
    }
}
