package io.sluice.benchmarks.workload;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.function.LongFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * An access log to be measured with: who calls is drawn, and the time of each event is the time of writing.
 *
 * @param topic made by {@link #write}
 * @param events how many
 * @param keyed whether each event's key is its caller; else there are no keys, and partitions take turns
 * @param seed the same seed gives the same callers
 */
public record EventLog(String topic, int partitions, long events, boolean keyed, long seed, Callers callers) {
    /** So many events go to a partition before the next has its turn, as producers do without a key. */
    static final int TURN = 500;

    /** The name of the caller with a number; 0 is the one that calls most. */
    public static String caller(int number) {
        return new String(EventText.caller(number), StandardCharsets.US_ASCII);
    }

    /**
     * Makes the topic and fills it as fast as it goes.
     *
     * @throws IllegalStateException when the broker did not take an event
     */
    public void write(String bootstrapServers) throws ExecutionException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        EventText text = new EventText(random);
        fill(bootstrapServers, topic, partitions, "LogAppendTime", events, n -> {
            int number = callers.next(random);
            byte[] caller = EventText.caller(number);
            return record(n, caller, text.next(System.currentTimeMillis(), number, caller));
        });
    }

    static void fill(
            String bootstrapServers,
            String topic,
            int partitions,
            String timestamps,
            long events,
            LongFunction<ProducerRecord<byte[], byte[]>> nth)
            throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrapServers))) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())
                            .configs(Map.of("message.timestamp.type", timestamps))))
                    .all()
                    .get();
        }
        try (Sender sender = new Sender(bootstrapServers)) {
            for (long n = 0; n < events; n++) {
                sender.send(nth.apply(n));
            }
        }
    }

    private ProducerRecord<byte[], byte[]> record(long n, byte[] caller, byte[] event) {
        return keyed
                ? new ProducerRecord<>(topic, caller, event)
                : new ProducerRecord<>(topic, (int) (n / TURN % partitions), null, event);
    }
}
