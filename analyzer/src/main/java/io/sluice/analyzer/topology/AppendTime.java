package io.sluice.analyzer.topology;

import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The time at which a record was appended. A topic that is not ours may keep the producer's time: then that, or now if it
 * has none, and never later than now, so that nobody's clock can push the analyzer into the future.
 *
 * @param now the wall clock in epoch milliseconds
 */
record AppendTime(LongSupplier now) implements TimestampExtractor {

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        if (record.timestampType() == TimestampType.LOG_APPEND_TIME) {
            return record.timestamp();
        }
        long latest = now.getAsLong();
        return record.timestamp() < 0 ? latest : Math.min(record.timestamp(), latest);
    }
}
