package io.sluice.analyzer.topology;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs records that could not be read: the first of a kind at once, further ones once a minute with their number and an
 * example. Thread-safe.
 */
public final class DeadLetterLog {
    private static final Logger log = LoggerFactory.getLogger(DeadLetterLog.class);
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final LongSupplier nanoTime;
    private final Map<DeadLetter.Kind, Pending> kinds = new EnumMap<>(DeadLetter.Kind.class);

    private static final class Pending {
        long many;
        long lineAt;
        String example = "";
    }

    /** @param nanoTime the monotonic clock */
    public DeadLetterLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @param reason without a word of the payload */
    synchronized void add(DeadLetter.Kind kind, RecordMetadata origin, String reason) {
        Pending pending = kinds.get(kind);
        if (pending == null) {
            pending = new Pending();
            pending.lineAt = nanoTime.getAsLong() - MINUTE_NANOS;
            kinds.put(kind, pending);
        }
        if (pending.many++ == 0) {
            pending.example = origin.topic() + "-" + origin.partition() + " offset " + origin.offset() + ": " + reason;
        }
        writeIfDue(kind, pending);
    }

    /** Logs what has waited for its minute to end. To be called every few seconds. */
    public synchronized void flush() {
        kinds.forEach(this::writeIfDue);
    }

    /** Logs what has waited, when the analyzer stops. */
    public synchronized void close() {
        kinds.forEach((kind, pending) -> pending.lineAt = nanoTime.getAsLong() - MINUTE_NANOS);
        flush();
    }

    private void writeIfDue(DeadLetter.Kind kind, Pending pending) {
        long now = nanoTime.getAsLong();
        if (pending.many > 0 && now - pending.lineAt >= MINUTE_NANOS) {
            log.warn(
                    "could not read {} {} ({}), dead-lettered; the first: {}; see ./sluice dead-letters list",
                    pending.many,
                    pending.many == 1 ? "record" : "records",
                    kind.label(),
                    pending.example);
            pending.many = 0;
            pending.lineAt = now;
        }
    }
}
