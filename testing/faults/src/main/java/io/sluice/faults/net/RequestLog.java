package io.sluice.faults.net;

import io.sluice.contract.json.JsonStrings;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes request events of callers straight onto a topic, each once, as a log shipper would. Thread-safe. */
public final class RequestLog implements AutoCloseable {
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final int partitions;
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    /** Writes to a topic, which need not be ours. */
    public RequestLog(String bootstrap, String topic) {
        this.topic = topic;
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "acks", "all", "enable.idempotence", true, "linger.ms", 5),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.partitions = producer.partitionsFor(topic).size();
    }

    /**
     * Adds one, without a key; the partitions take turns.
     *
     * @param time of the event, and of the record where the topic leaves that to who writes; epoch milliseconds
     */
    public void add(String caller, long time) {
        add(caller, "/orders", time);
    }

    /** The same, of another route. */
    public void add(String caller, String route, long time) {
        var unused = producer.send(
                new ProducerRecord<>(topic, next(), time, null, event(caller, route, time)), (stored, problem) -> {
                    if (problem != null) {
                        failure.set(new IllegalStateException("an event was not stored", problem));
                    }
                });
    }

    private int next() {
        return Math.floorMod(turn.getAndIncrement(), partitions);
    }

    private static byte[] event(String caller, String route, long time) {
        StringBuilder json = new StringBuilder("{\"time\":").append(time).append(",\"caller\":");
        JsonStrings.quote(caller, json);
        JsonStrings.quote(route, json.append(",\"service\":\"orders\",\"route\":"));
        return json.append(",\"method\":\"GET\",\"status\":200}").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Everything that was added is stored when this returns. */
    public void flush() {
        producer.flush();
        RuntimeException problem = failure.get();
        if (problem != null) {
            throw problem;
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
