package io.sluice.analyzer.cli;

import io.sluice.contract.topic.OffsetRange;
import io.sluice.settings.InvalidSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The dead letters of a time, their number by reason, and what of them was sent again. */
final class LetterBox {
    private final PriorityQueue<Letter> newest = new PriorityQueue<>(Comparator.comparingLong(Letter::append));
    private final Map<String, Long> reasons = new TreeMap<>();
    private final RetryMarks marks = new RetryMarks();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final long since;
    private final int most;
    private final Predicate<Letter> wanted;
    private long many;

    /**
     * An empty one.
     *
     * @param since epoch milliseconds; marks are always read from the beginning
     * @param most how many are kept, the newest; all are counted
     */
    LetterBox(long since, int most, Predicate<Letter> wanted) {
        this.since = since;
        this.most = most;
        this.wanted = wanted;
    }

    static LetterBox read(Connection connection, long since, int most, Predicate<Letter> wanted)
            throws InvalidSettings, Refused {
        LetterBox box = new LetterBox(since, most, wanted);
        box.read(connection);
        return box;
    }

    /** Reads what there is, and later what was written since. */
    void read(Connection connection) throws InvalidSettings, Refused {
        read(connection, this::accept);
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
        many++;
        reasons.merge(letter.reason(), 1L, Long::sum);
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
        return reasons;
    }

    long many() {
        return many;
    }

    RetryMarks marks() {
        return marks;
    }

    /** Takes up marks that were written since. */
    void again(Connection connection) throws InvalidSettings, Refused {
        read(connection, marks::accept);
    }
}
