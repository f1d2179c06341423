package io.sluice.analyzer.run;

import io.sluice.analyzer.topology.ReadPositions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distinguishes idle from lagging partitions: a partition that has been read to its end has been read up to now. One thread asks for the
 * ends of all partitions that this process reads. Not every offset is a record that is handled: the marker that ends a
 * transaction is none, and what retention has deleted never comes. So for a partition of which nothing was handled yet, and for
 * one that stands still before its end, it also asks where the group stands and where the log begins.
 */
final class LogEnds implements ReadPositions, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LogEnds.class);
    private static final long EVERY_MILLIS = 200;
    private static final int PATIENCE_MILLIS = 5_000;
    private static final ListOffsetsOptions LIST_OPTIONS = new ListOffsetsOptions().timeoutMs(PATIENCE_MILLIS);
    private static final ListConsumerGroupOffsetsOptions GROUP_OPTIONS =
            new ListConsumerGroupOffsetsOptions().timeoutMs(PATIENCE_MILLIS);
    private static final long NOTHING_HANDLED = -1;
    private static final long AT_END = -2;

    private final Admin admin;
    private final String group;
    private final LongSupplier brokerNow;
    private final List<PartitionReader> readers = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "sluice-log-ends");
        thread.setDaemon(true);
        return thread;
    });

    /** @param brokerNow the broker's time in epoch milliseconds, or {@link #UNKNOWN} */
    LogEnds(Admin admin, String group, LongSupplier brokerNow) {
        this.admin = admin;
        this.group = group;
        this.brokerNow = brokerNow;
    }

    void start() {
        var unused = poller.scheduleWithFixedDelay(this::pollSafely, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public Reader reader(String topic, int partition) {
        PartitionReader reader = new PartitionReader(new TopicPartition(topic, partition));
        readers.add(reader);
        return reader;
    }

    private void pollSafely() {
        try {
            poll();
        } catch (RuntimeException e) {
            log.debug("the ends of the access logs are not known", e);
        }
    }

    /**
     * Asks about each partition of which nothing is being asked. The answers are taken one by one as they arrive: those for a
     * partition without a leader come late or never, and its position stands still meanwhile, but no other one does.
     */
    private void poll() {
        // taken before asking: everything that was appended until then is below the ends that come back
        long asked = brokerNow.getAsLong();
        if (asked == UNKNOWN) {
            return;
        }
        List<PartitionReader> idle =
                readers.stream().filter(reader -> reader.pending.isDone()).toList();
        if (idle.isEmpty()) {
            return;
        }
        Map<TopicPartition, KafkaFuture<Void>> passed =
                passOver(idle.stream().filter(PartitionReader::standsStill).toList());
        var ends = admin.listOffsets(offsets(idle, OffsetSpec.latest()), LIST_OPTIONS);
        for (PartitionReader reader : idle) {
            KafkaFuture<Void> before = passed.getOrDefault(reader.partition, KafkaFuture.completedFuture(null));
            KafkaFuture<Void> end = ends.partitionResult(reader.partition).thenApply(found -> {
                reader.end(found.offset(), asked);
                return null;
            });
            reader.pending = KafkaFuture.allOf(before, end).whenComplete((done, failure) -> {
                if (failure != null) {
                    log.debug("the end of {} is not known", reader.partition, failure);
                }
            });
        }
    }

    private Map<TopicPartition, KafkaFuture<Void>> passOver(List<PartitionReader> still) {
        Map<TopicPartition, KafkaFuture<Void>> passed = new HashMap<>();
        if (still.isEmpty()) {
            return passed;
        }
        var committed = admin.listConsumerGroupOffsets(group, GROUP_OPTIONS).partitionsToOffsetAndMetadata();
        var beginnings = admin.listOffsets(offsets(still, OffsetSpec.earliest()), LIST_OPTIONS);
        for (PartitionReader reader : still) {
            var beginning = beginnings.partitionResult(reader.partition).thenApply(first -> {
                reader.passTo(first.offset());
                return null;
            });
            var stand = committed.thenApply(all -> {
                OffsetAndMetadata offset = all.get(reader.partition);
                if (offset != null) {
                    reader.passTo(offset.offset());
                }
                return null;
            });
            passed.put(reader.partition, KafkaFuture.allOf(beginning, stand));
        }
        return passed;
    }

    private static Map<TopicPartition, OffsetSpec> offsets(List<PartitionReader> of, OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
        of.forEach(reader -> specs.put(reader.partition, which));
        return specs;
    }

    /** How far the meters of this process are behind, in milliseconds; nothing while that is not known, or they read nothing. */
    OptionalLong lag() {
        long now = brokerNow.getAsLong();
        OptionalLong least = readers.stream().mapToLong(Reader::position).min();
        return now == UNKNOWN || least.isEmpty() || least.getAsLong() == UNKNOWN
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, now - least.getAsLong()));
    }

    @Override
    public void close() {
        poller.shutdownNow();
    }

    /** Written by its task and, one answer at a time, by the admin client's thread; read by any. */
    final class PartitionReader implements Reader {
        private final TopicPartition partition;
        private final AtomicLong next = new AtomicLong(NOTHING_HANDLED);
        /** Where it stood before its end when that was asked for last. */
        private volatile long behind = NOTHING_HANDLED;
        /** What is being asked about it; used by the poller's thread alone. */
        private KafkaFuture<Void> pending = KafkaFuture.completedFuture(null);

        private volatile long append = UNKNOWN;
        private volatile long caughtUpAt = UNKNOWN;

        private PartitionReader(TopicPartition partition) {
            this.partition = partition;
        }

        @Override
        public void handled(long offset, long appended) {
            append = Math.max(append, appended);
            next.lazySet(offset + 1);
        }

        /** Returns whether nothing was handled since it was found before its end, or ever. */
        private boolean standsStill() {
            return next.get() == behind;
        }

        private void passTo(long offset) {
            next.accumulateAndGet(offset, Math::max);
        }

        private void end(long end, long asked) {
            long handled = next.get();
            if (handled >= end) {
                caughtUpAt = asked;
            }
            behind = handled < end ? handled : AT_END;
        }

        @Override
        public long position() {
            // another record of the same millisecond may follow
            long handled = append == UNKNOWN ? UNKNOWN : append - 1;
            return Math.max(handled, caughtUpAt);
        }

        @Override
        public void close() {
            readers.remove(this);
        }
    }
}
