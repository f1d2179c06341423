package io.sluice.analyzer.api;

import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.Lines;
import io.sluice.contract.topic.OffsetRange;
import io.sluice.contract.topic.RecordCursor;
import io.sluice.contract.topic.TopicReader;
import io.sluice.settings.SourceSettings;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * A range of a partition as a log: each record's value is a line.
 *
 * @param readers makes a reader for each reading
 */
public record PartitionLog(Supplier<TopicReader> readers, OffsetRange range, SourceSettings source)
        implements AccessLog {

    @Override
    public String name() {
        return range.partition().toString();
    }

    @Override
    public Lines lines() {
        TopicReader reader = readers.get();
        return new Reading(name(), reader, reader.open(List.of(range)));
    }

    private static final class Reading implements Lines {
        private static final byte[] NO_VALUE = {};

        private final String name;
        private final TopicReader reader;
        private final RecordCursor records;
        private long offset = -1;

        Reading(String name, TopicReader reader, RecordCursor records) {
            this.name = name;
            this.reader = reader;
            this.records = records;
        }

        @Override
        public byte @Nullable [] next() throws IOException {
            ConsumerRecord<byte[], byte[]> record;
            try {
                record = records.next();
            } catch (OffsetOutOfRangeException e) {
                throw new IOException(
                        name + ": its oldest records were deleted while it was read; a shorter time"
                                + " keeps away from what retention takes",
                        e);
            } catch (KafkaException e) {
                throw new IOException(name + ": " + e.getMessage(), e);
            }
            if (record == null) {
                return null;
            }
            offset = record.offset();
            // a record without a value is no event, and its format reports that
            return record.value() == null ? NO_VALUE : record.value();
        }

        @Override
        public long number() {
            return offset;
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
