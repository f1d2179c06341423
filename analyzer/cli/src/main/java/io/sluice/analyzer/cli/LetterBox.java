package io.sluice.analyzer.cli;

import io.sluice.contract.topic.OffsetRange;
import io.sluice.settings.InvalidSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The dead letters of a time, their number by reason, and what of them was sent again. */
final class LetterBox {
    private final PriorityQueue<Letter> newest = new PriorityQueue<>(Comparator.comparingLong(Letter::append));
    private final NavigableMap<Long, Map<String, Long>> reasons = new TreeMap<>();
    private final RetryMarks marks = new RetryMarks();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final long millis;
    private final int most;
    private final Predicate<Letter> wanted;
    private final LongSupplier clock;
    private long since;

    /**
     * An empty one.
     *
     * @param millis how far to look back; marks are always read from the beginning
     * @param most how many are kept, the newest; all are counted
     * @param clock epoch milliseconds
     */
    LetterBox(long millis, int most, Predicate<Letter> wanted, LongSupplier clock) {
        this.millis = millis;
        this.most = most;
        this.wanted = wanted;
        this.clock = clock;
    }

    static LetterBox read(Connection connection, long millis, int most, Predicate<Letter> wanted)
            throws InvalidSettings, Refused {
        LetterBox box = new LetterBox(millis, most, wanted, System::currentTimeMillis);
        box.read(connection);
        return box;
    }

    /** Reads what there is, and later what was written since; what has become too old is dropped. */
    void read(Connection connection) throws InvalidSettings, Refused {
        since = clock.getAsLong() - millis;
        while (!newest.isEmpty() && newest.element().append() < since) {
            newest.remove();
        }
        reasons.headMap(interval(since)).clear();
        read(connection, this::accept);
    }

    /** Counts are kept by second, and by a 3600th of longer times: that much too long is the oldest counted. */
    private long interval(long time) {
        return Math.floorDiv(time, Math.max(1_000, millis / 3_600));
    }

    private void read(Connection connection, Consumer<ConsumerRecord<byte[], byte[]>> to)
            throws InvalidSettings, Refused {
        String topic = connection.topics().deadLetters();
        connection.read(reader -> {
            List<OffsetRange> ranges = reader.from(topic, ends);
            reader.read(ranges, to);
            ranges.forEach(range -> ends.put(range.partition(), range.end()));
        });
    }

    private void accept(ConsumerRecord<byte[], byte[]> record) {
        if (!marks.accept(record) && record.timestamp() >= since) {
            Letter.of(record).filter(wanted).ifPresent(this::add);
        }
    }

    private void add(Letter letter) {
        reasons.computeIfAbsent(interval(letter.append()), start -> new HashMap<>())
                .merge(letter.reason(), 1L, Long::sum);
        newest.add(letter);
        if (newest.size() > most) {
            newest.remove();
        }
    }

    /** Newest first. */
    List<Letter> letters() {
        ArrayDeque<Letter> letters = new ArrayDeque<>();
        PriorityQueue<Letter> rest = new PriorityQueue<>(newest);
        while (!rest.isEmpty()) {
            letters.addFirst(rest.remove());
        }
        return new ArrayList<>(letters);
    }

    /** How many there are for each reason, of all. */
    Map<String, Long> reasons() {
        Map<String, Long> sums = new TreeMap<>();
        reasons.values().forEach(counts -> counts.forEach((reason, count) -> sums.merge(reason, count, Long::sum)));
        return sums;
    }

    long many() {
        return reasons().values().stream().mapToLong(Long::longValue).sum();
    }

    RetryMarks marks() {
        return marks;
    }

    /** Takes up marks that were written since. */
    void again(Connection connection) throws InvalidSettings, Refused {
        read(connection, marks::accept);
    }
}
