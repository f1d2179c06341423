package io.sluice.analyzer.topology;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.UsageRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Reads the usage topic: takes bundles apart, and makes a dead letter of what can't be read. One thread. */
final class UsageIn {
    private final ProcessorContext<Object, Object> context;
    private final Counts counts;
    private final DeadLetterLog deadLetters;
    private final To to;

    /** Takes what was read. */
    interface To {
        /**
         * @param appended when the broker appended the record, epoch milliseconds
         * @throws MalformedRecord when it can be read, and still can't be right
         */
        void partial(UsageKey key, UsagePartial partial, long appended) throws MalformedRecord;

        /**
         * @param appended when the broker appended the record, epoch milliseconds
         * @throws MalformedRecord when it can be read, and still can't be right
         */
        void position(MeterPosition position, long appended) throws MalformedRecord;
    }

    UsageIn(ProcessorContext<Object, Object> context, Counts counts, DeadLetterLog deadLetters, To to) {
        this.context = context;
        this.counts = counts;
        this.deadLetters = deadLetters;
        this.to = to;
    }

    void read(Record<byte[], byte[]> record) {
        try {
            if (record.key() == null || record.value() == null) {
                throw new MalformedRecord("usage: key or value is missing");
            }
            if (UsageBundle.is(record.value())) {
                UsageBundle.read(record.value(), (key, value) -> bundled(record, key, value));
            } else {
                usage(record.key(), record.value(), record.timestamp());
            }
        } catch (MalformedRecord e) {
            deadLetter(record, e);
        }
    }

    /** One that can't be read takes no other with it. */
    private void bundled(Record<byte[], byte[]> bundle, byte[] key, byte[] value) {
        try {
            usage(key, value, bundle.timestamp());
        } catch (MalformedRecord e) {
            deadLetter(bundle, e);
        }
    }

    private void usage(byte[] key, byte[] value, long appended) throws MalformedRecord {
        UsageRecord usage = UsageCodec.read(value);
        if (usage instanceof UsagePartial partial) {
            if (!partial.values().none()) {
                DistinctValues.decode(partial.values().bytes());
            }
            to.partial(UsageKey.read(key), partial, appended);
        } else {
            to.position((MeterPosition) usage, appended);
        }
    }

    private void deadLetter(Record<byte[], byte[]> record, MalformedRecord e) {
        counts.add(Count.DEAD_LETTERS, DeadLetter.Kind.USAGE.label());
        RecordMetadata origin = context.recordMetadata().orElseThrow();
        String reason = String.valueOf(e.getMessage());
        deadLetters.add(DeadLetter.Kind.USAGE, origin, reason);
        context.forward(DeadLetter.of(record, origin, reason, context.currentSystemTimeMs()), Names.BAD_USAGE_OUT);
    }
}
