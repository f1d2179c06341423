package io.sluice.analyzer.cli;

import io.sluice.analyzer.output.RecordJson;
import io.sluice.analyzer.topology.DeadLetter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter: a record that could not be read, put aside.
 *
 * @param partition where it stands on the topic of dead letters
 * @param append when it was put there, epoch milliseconds
 * @param length how long the original is, -1 for one without a value
 * @param value the first 4 KiB of the original, empty for none
 */
record Letter(int partition, long offset, long append, String reason, Origin origin, int length, ByteBuffer value) {

    /** Where an original stood. */
    record Origin(String topic, int partition, long offset) {
        @Override
        public String toString() {
            return topic + "-" + partition + "@" + offset;
        }
    }

    /** Empty for a record with neither a reason nor an origin: no dead letter of ours. */
    static Optional<Letter> of(ConsumerRecord<byte[], byte[]> record) {
        String topic = header(record, DeadLetter.TOPIC);
        String reason = header(record, DeadLetter.REASON);
        if (topic == null || reason == null) {
            return Optional.empty();
        }
        try {
            Origin origin = new Origin(
                    topic,
                    Integer.parseInt(String.valueOf(header(record, DeadLetter.PARTITION))),
                    Long.parseLong(String.valueOf(header(record, DeadLetter.OFFSET))));
            String length = header(record, DeadLetter.LENGTH);
            ByteBuffer value = record.value() == null ? ByteBuffer.allocate(0) : ByteBuffer.wrap(record.value());
            return Optional.of(new Letter(
                    record.partition(),
                    record.offset(),
                    record.timestamp(),
                    reason,
                    origin,
                    length == null ? value.remaining() : Integer.parseInt(length),
                    value));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** The first bytes of the original. */
    byte[] bytes() {
        byte[] bytes = new byte[value.remaining()];
        value.duplicate().get(bytes);
        return bytes;
    }

    /** Identifier for people: {@code 3-1041}. */
    String id() {
        return partition + "-" + offset;
    }

    String json(long now) {
        return RecordJson.line(json(Math.max(0, now - append), null, null));
    }

    /** With its first bytes, and when the original was sent again, if it was. */
    String detailedJson(@Nullable Long triedAgain) {
        return RecordJson.line(json(null, value.duplicate(), triedAgain));
    }

    private Json json(@Nullable Long age, @Nullable ByteBuffer first, @Nullable Long triedAgain) {
        return new Json(
                id(), reason, origin.topic, origin.partition, origin.offset, append, age, length, first, triedAgain);
    }

    private record Json(
            String id,
            String reason,
            String topic,
            int partition,
            long offset,
            long at,
            @Nullable Long ageMillis,
            int length,
            @Nullable ByteBuffer firstBytes,
            @Nullable Long triedAgain) {}
}
