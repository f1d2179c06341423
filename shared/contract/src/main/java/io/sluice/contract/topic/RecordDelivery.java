package io.sluice.contract.topic;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Hands records and events to a listener: only records with a valid signature, if there are keys, and without letting its exceptions out.
 * Confined to one thread, except {@link #refused}.
 */
final class RecordDelivery {
    private final TopicFollower.Listener listener;
    private final @Nullable RecordSignatures signatures;
    private final ThrottledLogger complaints;
    /** By topic, so it is bounded. */
    private final Map<String, Long> refused = new ConcurrentHashMap<>();

    RecordDelivery(TopicFollower.Listener listener, @Nullable RecordSignatures signatures, ThrottledLogger complaints) {
        this.listener = listener;
        this.signatures = signatures;
        this.complaints = complaints;
    }

    /** Returns how many records of which topics were refused because they have no valid signature. */
    Map<String, Long> refused() {
        return refused;
    }

    void record(ConsumerRecord<byte[], byte[]> record) {
        try {
            String refusal = signatures == null ? null : signatures.refusal(record);
            if (refusal == null) {
                listener.record(record);
            } else {
                complaints.about("refused: a record of " + record.topic() + " " + refusal + "; one at "
                        + record.partition() + "@" + record.offset());
                refused.merge(record.topic(), 1L, Long::sum);
                listener.refused(record);
            }
        } catch (RuntimeException | Error e) {
            complaints.about("record " + record.topic() + "-" + record.partition() + "@" + record.offset(), e);
        }
    }

    void partitions(Map<String, Integer> counts) {
        counts.forEach((topic, count) -> event(() -> listener.partitions(topic, count)));
    }

    void read(String topic) {
        event(() -> listener.read(topic));
    }

    void caughtUp() {
        event(listener::caughtUp);
    }

    void again() {
        event(listener::again);
    }

    private void event(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException | Error e) {
            complaints.about("the listener failed", e);
        }
    }
}
