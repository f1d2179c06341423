package io.sluice.analyzer.topology;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A record that can't be read, put aside: its key, the first 4 KiB of its value, why, and where it stood. The original's
 * headers are left behind, a long key and a long reason are cut, so that nothing that was accepted once is too large to be put aside.
 */
public final class DeadLetter {
    /** Why: text without a word of the payload. */
    public static final String REASON = "sluice.reason";

    /** Where it stood. */
    public static final String TOPIC = "sluice.topic";

    /** Where it stood: a decimal number. */
    public static final String PARTITION = "sluice.partition";

    /** Where it stood: a decimal number. */
    public static final String OFFSET = "sluice.offset";

    /** When it was appended there, in epoch milliseconds: a decimal number. */
    public static final String APPENDED = "sluice.appended";

    /** How long the original value was, in bytes: a decimal number, -1 for none. */
    public static final String LENGTH = "sluice.length";

    private static final int MOST = 4096;
    /** A log format from outside may give a reason of any length. */
    private static final int MOST_REASON = 1024;

    /** Reasons, few enough for a metric. */
    public enum Kind {
        /** A request without a value. */
        EMPTY,
        /** A request that does not have its format. */
        MALFORMED,
        /** A request on which its format failed: a mistake in the parser. */
        FORMAT_FAILED,
        /** A record on the usage topic that no meter writes. */
        USAGE;

        /** As metrics call it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private DeadLetter() {}

    static Record<byte[], byte[]> of(Record<byte[], byte[]> original, RecordMetadata origin, String reason, long now) {
        byte[] value = original.value();
        Headers headers = new RecordHeaders();
        add(headers, REASON, reason.length() <= MOST_REASON ? reason : reason.substring(0, MOST_REASON) + "…");
        add(headers, TOPIC, origin.topic());
        add(headers, PARTITION, Integer.toString(origin.partition()));
        add(headers, OFFSET, Long.toString(origin.offset()));
        add(headers, APPENDED, Long.toString(original.timestamp()));
        add(headers, LENGTH, Integer.toString(value == null ? -1 : value.length));
        return new Record<>(cut(original.key()), cut(value), now, headers);
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private static byte @Nullable [] cut(byte @Nullable [] bytes) {
        return bytes == null || bytes.length <= MOST ? bytes : Arrays.copyOf(bytes, MOST);
    }
}
