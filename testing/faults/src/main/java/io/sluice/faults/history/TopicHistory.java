package io.sluice.faults.history;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.topic.OffsetRange;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;

/** What stands on the topics, as a history: what was produced, decided and put aside, at the broker's append times. */
public final class TopicHistory {
    private static final int SHOWN_BYTES = 256;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long PAUSE_NANOS = 100_000_000;

    private TopicHistory() {}

    /** Everything that is committed on the three topics now. */
    public static List<Entry> of(String bootstrap, TopicNames topics) {
        List<Entry> entries = new ArrayList<>();
        read(bootstrap, topics.requests(), record -> entries.add(produced(record)));
        entries.addAll(decisions(bootstrap, topics));
        read(bootstrap, topics.deadLetters(), record -> entries.add(putAside(record)));
        return entries;
    }

    /** The decisions alone: where what was produced is too much to be kept. */
    public static List<Entry> decisions(String bootstrap, TopicNames topics) {
        List<Entry> entries = new ArrayList<>();
        read(bootstrap, topics.gateLocks(), record -> decided(record, entries));
        return entries;
    }

    private static Entry produced(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? new byte[0] : record.value();
        String agent;
        try {
            RequestEvent event = RequestEventReader.ours().read(value);
            agent = event.agent() == null ? "" : event.agent();
        } catch (MalformedRecord poison) {
            agent = "";
        }
        return new Entry(
                record.timestamp(),
                Entry.Kind.PRODUCED,
                agent,
                new String(value, 0, Math.min(value.length, 4_000), StandardCharsets.UTF_8));
    }

    private static void decided(ConsumerRecord<byte[], byte[]> record, List<Entry> to) {
        if (record.value() == null) {
            return;
        }
        try {
            GateLockJson.read(record.value()).ifPresent(read -> {
                if (read instanceof GateLock lock) {
                    to.add(new Entry(
                            record.timestamp(),
                            Entry.Kind.DECIDED,
                            lock.version().task(),
                            new String(record.value(), StandardCharsets.UTF_8)));
                }
            });
        } catch (MalformedRecord e) {
            throw new IllegalStateException("an analyzer wrote what can't be read", e);
        }
    }

    private static Entry putAside(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? new byte[0] : record.value();
        return new Entry(
                record.timestamp(),
                Entry.Kind.DEAD_LETTER,
                reason(record),
                HexFormat.of().formatHex(Arrays.copyOf(value, Math.min(value.length, SHOWN_BYTES))));
    }

    private static String reason(ConsumerRecord<byte[], byte[]> record) {
        Header reason = record.headers().lastHeader("sluice.reason");
        return reason == null ? "" : new String(reason.value(), StandardCharsets.UTF_8);
    }

    /**
     * Hands over everything that is committed on a topic now, each partition in its order; nothing of a topic that does not exist yet. Waits
     * for leaders: a broker on a busy machine loses them for a moment.
     */
    public static void read(String bootstrap, String topic, Consumer<ConsumerRecord<byte[], byte[]>> to) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        boolean complete = false;
        while (!complete) {
            try (TopicReader reader = new TopicReader(
                    Map.of("bootstrap.servers", bootstrap), IsolationLevel.READ_COMMITTED, PATIENCE, PATIENCE)) {
                List<OffsetRange> all = reader.since(List.of(topic), 0);
                complete = reader.leaderless().isEmpty();
                if (complete) {
                    reader.read(all, to);
                } else if (System.nanoTime() > end) {
                    throw new IllegalStateException("no leader answers for " + reader.leaderless());
                } else {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            } catch (UnknownTopicOrPartitionException e) {
                // the analyzer that creates it has only just begun
                return;
            }
        }
    }
}
