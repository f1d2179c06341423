package io.sluice.benchmarks.recovery;

import io.sluice.benchmarks.workload.Sender;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A few new events on each partition, all the time: a contender that reads them has recovered. */
final class Trickle implements AutoCloseable {
    private static final int PARTITIONS = 4;
    private static final long EVERY_MILLIS = 10;

    private final Sender sender;
    private final String topic;
    private final ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor();

    private Trickle(Sender sender, String topic) {
        this.sender = sender;
        this.topic = topic;
    }

    static Trickle open(String bootstrapServers, String topic) {
        return new Trickle(new Sender(bootstrapServers), topic);
    }

    void begin() {
        var unused = turns.scheduleAtFixedRate(this::turn, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void turn() {
        byte[] event = "{\"time\":%d,\"caller\":\"c0000000\",\"status\":200}"
                .formatted(System.currentTimeMillis())
                .getBytes(StandardCharsets.US_ASCII);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            sender.send(topic, partition, null, event);
        }
    }

    @Override
    public void close() {
        turns.shutdownNow();
        sender.close();
    }
}
