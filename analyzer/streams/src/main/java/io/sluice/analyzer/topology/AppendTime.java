package io.sluice.analyzer.topology;

import io.sluice.analyzer.load.LoadBounds;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The time at which a record was appended. A topic that is not ours may keep the producer's time: then that, or now if it
 * has none, and never later than now, so that no clock can push the analyzer into the future. Which of them it is cannot be seen
 * here: Kafka Streams hands over a copy that always claims the producer's time. So now has to be the broker's: an analyzer whose own clock
 * is slow would take all events for old ones. A time that was not set, 0 for example, is none.
 *
 * @param now the broker's time in epoch milliseconds, as well as it is known
 */
record AppendTime(LongSupplier now) implements TimestampExtractor {
    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        long latest = now.getAsLong();
        return record.timestamp() < LoadBounds.EARLIEST ? latest : Math.min(record.timestamp(), latest);
    }
}
