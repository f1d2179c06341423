package io.sluice.contract.topic;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Writes down what it is told: values, and {@code <end>} and {@code <again>} where they came. */
final class Heard implements TopicFollower.Listener {
    static final String END = "<end>";
    static final String AGAIN = "<again>";

    final List<String> all = new CopyOnWriteArrayList<>();
    final List<String> ends = new CopyOnWriteArrayList<>();
    final List<ConsumerRecord<byte[], byte[]>> records = new CopyOnWriteArrayList<>();

    @Override
    public void record(ConsumerRecord<byte[], byte[]> record) {
        records.add(record);
        all.add(record.value() == null ? "<null>" : new String(record.value(), StandardCharsets.UTF_8));
    }

    @Override
    public void read(String topic) {
        ends.add(topic);
    }

    @Override
    public void caughtUp() {
        all.add(END);
    }

    @Override
    public void again() {
        all.add(AGAIN);
    }
}
