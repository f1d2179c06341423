package io.sluice.benchmarks.reaction;

import io.sluice.benchmarks.measure.Series;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.usage.UsageBundle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Where a reaction's time goes, by the broker's append times of what a crossing leaves on the topics. */
final class Hops implements AutoCloseable {
    private static final double MICROS = 1000;
    /** The broker's times are whole milliseconds, rounded down. */
    private static final double ROUNDED = 0.5;

    private final TopicNames topics;
    private final Map<String, Long> partials = new ConcurrentHashMap<>();
    private final Map<String, Long> locks = new ConcurrentHashMap<>();
    private final TopicFollower follower;

    Hops(String bootstrap, TopicNames topics) {
        this.topics = topics;
        follower = new TopicFollower(
                Map.of("bootstrap.servers", bootstrap), List.of(topics.usage(), topics.gateLocks()), new Tap());
        follower.start();
    }

    /** The median and the 99th percentile of each hop of those crossings that were seen everywhere, in milliseconds. */
    List<Series> of(List<Crossing> crossings, String at) {
        Map<String, ToDoubleFunction<Crossing>> hops = new LinkedHashMap<>();
        hops.put("sent to appended", c -> c.appended() + ROUNDED - c.sentMillis);
        hops.put("appended to usage appended", c -> at(partials, c) - c.appended());
        hops.put("usage appended to lock appended", c -> at(locks, c) - at(partials, c));
        hops.put("lock appended to first gate", c -> c.sentMillis + c.untilFirst() / 1e6 - at(locks, c) - ROUNDED);
        hops.put("first to last gate", c -> (c.untilAll() - c.untilFirst()) / 1e6);
        List<Crossing> seen = crossings.stream()
                .filter(c -> c.counts && c.done() && c.appended() > 0)
                .filter(c -> locks.containsKey(c.caller) && partials.containsKey(c.caller))
                .toList();
        if (seen.isEmpty()) {
            throw new IllegalStateException("none of %d crossings was seen on its whole way: %d partials, %d locks"
                    .formatted(crossings.size(), partials.size(), locks.size()));
        }
        List<Series> series = new ArrayList<>();
        hops.forEach((name, hop) -> series.addAll(series(name + ", " + at, hop, seen)));
        return series;
    }

    private static long at(Map<String, Long> times, Crossing crossing) {
        return times.getOrDefault(crossing.caller, 0L);
    }

    private static List<Series> series(String name, ToDoubleFunction<Crossing> hop, List<Crossing> seen) {
        Histogram micros = new Histogram(3);
        seen.forEach(c -> micros.recordValue(Math.max(0, (long) (hop.applyAsDouble(c) * MICROS))));
        double mean = seen.stream().mapToDouble(hop).average().orElse(Double.NaN);
        return List.of(
                new Series("hop: " + name + ", mean", "ms", mean),
                new Series("hop: " + name + ", p99", "ms", micros.getValueAtPercentile(99) / MICROS));
    }

    @Override
    public void close() {
        follower.close();
    }

    private final class Tap implements TopicFollower.Listener {
        @Override
        public void record(ConsumerRecord<byte[], byte[]> record) {
            try {
                if (record.topic().equals(topics.gateLocks())) {
                    lock(record.key(), record.timestamp());
                } else if (UsageBundle.is(record.value())) {
                    UsageBundle.read(record.value(), (key, value) -> partial(key, record.timestamp()));
                } else {
                    partial(record.key(), record.timestamp());
                }
            } catch (MalformedRecord e) {
                throw new IllegalStateException(e);
            }
        }

        private void lock(byte[] key, long at) throws MalformedRecord {
            String subject = subject(key);
            if (subject.startsWith(Crossing.PREFIX)) {
                locks.putIfAbsent(subject, at);
            }
        }

        private void partial(byte[] key, long at) throws MalformedRecord {
            String subject = subject(key);
            if (subject.startsWith(Crossing.PREFIX)) {
                // a burst may come in two partials: the last one crosses
                partials.merge(subject, at, Math::max);
            }
        }

        private static String subject(byte[] key) throws MalformedRecord {
            List<String> elements = CompositeKey.read(key);
            return elements.get(elements.size() - 1);
        }

        @Override
        public void caughtUp() {}
    }
}
