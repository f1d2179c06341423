package io.sluice.analyzer.run;

import io.sluice.analyzer.load.MeterPositions;
import io.sluice.analyzer.topology.ReadPositions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distinguishes idle from lagging partitions: a partition that has been read to its end has been read up to now. One thread asks for the
 * ends of all partitions that this process reads. Not every offset is a record that is handled: the marker that ends a
 * transaction is none, and what retention has deleted never comes. So for a partition of which nothing was handled yet, and for
 * one that stands still before its end, it also asks where the group stands and where the log begins.
 *
 * <p>Of the partitions of usage it asks the same, to find which of the positions that meters have published apply to what a decide task has read.
 */
final class LogEnds implements ReadPositions, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LogEnds.class);
    private static final long EVERY_MILLIS = 200;
    private static final int PATIENCE_MILLIS = 5_000;
    private static final ListOffsetsOptions LIST_OPTIONS = new ListOffsetsOptions().timeoutMs(PATIENCE_MILLIS);
    private static final ListConsumerGroupOffsetsOptions GROUP_OPTIONS =
            new ListConsumerGroupOffsetsOptions().timeoutMs(PATIENCE_MILLIS);

    private final Admin admin;
    private final String group;
    private final LongSupplier brokerNow;
    private final Supplier<MeterPositions.Snapshot> positions;
    private final LongSupplier published;
    private final EndsPace pace = new EndsPace(System.nanoTime());
    private final Set<LogPartition> logs = ConcurrentHashMap.newKeySet();
    private final Set<LogPartition> usage = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "sluice-log-ends");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * @param brokerNow the broker's time in epoch milliseconds, or {@link #UNKNOWN}
     * @param positions the newest positions that meters have published
     * @param published the number of loads that any task has published
     */
    LogEnds(
            Admin admin,
            String group,
            LongSupplier brokerNow,
            Supplier<MeterPositions.Snapshot> positions,
            LongSupplier published) {
        this.positions = positions;
        this.published = published;
        this.admin = admin;
        this.group = group;
        this.brokerNow = brokerNow;
    }

    void start() {
        var unused = poller.scheduleWithFixedDelay(this::pollSafely, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public Reader reader(String topic, int partition) {
        LogPartition log = new LogPartition(new TopicPartition(topic, partition));
        logs.add(log);
        return new LogReader(log);
    }

    @Override
    public UsageReader usageReader(String topic, int partition) {
        LogPartition log = new LogPartition(new TopicPartition(topic, partition));
        usage.add(log);
        return new UsageEnd(log);
    }

    private void pollSafely() {
        try {
            if (pace.due(activity(), System.nanoTime())) {
                poll();
            }
        } catch (RuntimeException e) {
            log.debug("the ends of the access logs are not known", e);
        }
    }

    /** Returns a number that grows with each record that this process handles, and with each load that any process publishes. */
    private long activity() {
        return published.getAsLong()
                + Stream.concat(logs.stream(), usage.stream())
                        .mapToLong(LogPartition::handled)
                        .sum();
    }

    /**
     * Asks about each partition of which nothing is being asked. The answers are taken one by one as they arrive: those for a
     * partition without a leader come late or never, and its position stands still meanwhile, but no other one does.
     */
    private void poll() {
        // taken before asking: everything that was appended until then is below the ends that come back
        LogPartition.Asked asked = new LogPartition.Asked(brokerNow.getAsLong(), positions.get());
        if (asked.time() == UNKNOWN) {
            return;
        }
        List<LogPartition> idle = Stream.concat(logs.stream(), usage.stream())
                .filter(reader -> reader.pending.isDone())
                .toList();
        if (idle.isEmpty()) {
            return;
        }
        Map<TopicPartition, KafkaFuture<Void>> passed =
                passOver(idle.stream().filter(LogPartition::standsStill).toList());
        var ends = admin.listOffsets(offsets(idle, OffsetSpec.latest()), LIST_OPTIONS);
        for (LogPartition reader : idle) {
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

    private Map<TopicPartition, KafkaFuture<Void>> passOver(List<LogPartition> still) {
        Map<TopicPartition, KafkaFuture<Void>> passed = new HashMap<>();
        if (still.isEmpty()) {
            return passed;
        }
        var committed = admin.listConsumerGroupOffsets(group, GROUP_OPTIONS).partitionsToOffsetAndMetadata();
        var beginnings = admin.listOffsets(offsets(still, OffsetSpec.earliest()), LIST_OPTIONS);
        for (LogPartition reader : still) {
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

    private static Map<TopicPartition, OffsetSpec> offsets(List<LogPartition> of, OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
        of.forEach(reader -> specs.put(reader.partition, which));
        return specs;
    }

    /** How far the meters of this process are behind, in milliseconds; nothing while that is not known, or they read nothing. */
    OptionalLong lag() {
        long now = brokerNow.getAsLong();
        OptionalLong least = logs.stream().mapToLong(LogPartition::position).min();
        return now == UNKNOWN || least.isEmpty() || least.getAsLong() == UNKNOWN
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, now - least.getAsLong()));
    }

    @Override
    public void close() {
        poller.shutdownNow();
    }

    private final class LogReader implements Reader {
        private final LogPartition log;

        private LogReader(LogPartition log) {
            this.log = log;
        }

        @Override
        public void handled(long offset, long append) {
            log.handled(offset, append);
        }

        @Override
        public long position() {
            return log.position();
        }

        @Override
        public void close() {
            logs.remove(log);
        }
    }

    private final class UsageEnd implements UsageReader {
        private final LogPartition log;

        private UsageEnd(LogPartition log) {
            this.log = log;
        }

        @Override
        public void handled(long offset) {
            log.handled(offset);
        }

        @Override
        public MeterPositions.@Nullable Snapshot passed() {
            LogPartition.Asked reached = log.reached();
            return reached == null ? null : reached.positions();
        }

        @Override
        public void close() {
            usage.remove(log);
        }
    }
}
