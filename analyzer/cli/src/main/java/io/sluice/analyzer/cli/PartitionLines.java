package io.sluice.analyzer.cli;

import io.sluice.analyzer.replay.Lines;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** One reading of a partition: each record's value is a line. A reading that gets nowhere ends in an error. */
final class PartitionLines implements Lines {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final byte[] NO_VALUE = {};

    private final PartitionLog log;
    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private Iterator<ConsumerRecord<byte[], byte[]>> records = Collections.emptyIterator();
    private long offset = -1;

    PartitionLines(PartitionLog log) {
        this.log = log;
        partition = log.partition();
        consumer = new KafkaConsumer<>(log.client(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        consumer.seek(partition, log.begin());
    }

    @Override
    public byte @Nullable [] next() throws IOException {
        if (!records.hasNext() && !fetch()) {
            return null;
        }
        ConsumerRecord<byte[], byte[]> record = records.next();
        if (record.offset() >= log.end()) {
            return null;
        }
        offset = record.offset();
        // a record without a value is no event, and its format reports that
        return record.value() == null ? NO_VALUE : record.value();
    }

    /** Gets more records; false at the end, behind which may be markers of transactions and nothing else. */
    private boolean fetch() throws IOException {
        try {
            long position = consumer.position(partition);
            long silentSince = System.nanoTime();
            while (position < log.end()) {
                records = consumer.poll(POLL).iterator();
                if (records.hasNext()) {
                    return true;
                }
                long reached = consumer.position(partition);
                if (reached > position) {
                    silentSince = System.nanoTime();
                } else if (System.nanoTime() - silentSince > Connection.PATIENCE.toNanos()) {
                    throw new IOException(log.name() + ": nothing came for " + Connection.PATIENCE.toSeconds()
                            + " s, at offset " + position + " of " + log.end() + "; is Kafka running?");
                }
                position = reached;
            }
            return false;
        } catch (OffsetOutOfRangeException e) {
            throw new IOException(
                    log.name() + ": its oldest records were deleted while it was read; a shorter --since"
                            + " keeps away from what retention takes",
                    e);
        } catch (KafkaException e) {
            throw new IOException(log.name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public long number() {
        return offset;
    }

    @Override
    public void close() {
        // no waiting for the goodbye of a broker that may be gone
        consumer.close(CloseOptions.timeout(POLL));
    }
}
