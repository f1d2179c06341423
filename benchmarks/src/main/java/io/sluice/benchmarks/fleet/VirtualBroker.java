package io.sluice.benchmarks.fleet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/**
 * Carries records from virtual tasks to virtual tasks in virtual time. What one process writes to a partition within a tick is one batch,
 * encoded and compressed by Kafka's classes as the analyzer's producer does. Not thread-safe.
 */
final class VirtualBroker {
    private static final Compression LZ4 = Compression.lz4().build();

    private final Scenario scenario;
    private final Receiver receiver;
    private final Map<Topic, Flow> written = new EnumMap<>(Topic.class);
    private final Map<Topic, Flow> readByInstances = new EnumMap<>(Topic.class);
    private final Map<Topic, Flow> readByAgents = new EnumMap<>(Topic.class);
    private final long[] writtenBy;
    private Map<Place, List<SimpleRecord>> open = new LinkedHashMap<>();
    private boolean measuring;

    /** The partition that a process writes to. */
    private record Place(Topic topic, int writer, int partition) {}

    /** Receives each record once; copies for several readers are only counted. */
    interface Receiver {
        void record(Topic topic, int partition, byte[] key, byte @Nullable [] value);
    }

    VirtualBroker(Scenario scenario, Receiver receiver) {
        this.scenario = scenario;
        this.receiver = receiver;
        writtenBy = new long[scenario.instances()];
        for (Topic topic : Topic.values()) {
            written.put(topic, new Flow());
            readByInstances.put(topic, new Flow());
            readByAgents.put(topic, new Flow());
        }
    }

    /** Counts from now on. */
    void measure() {
        measuring = true;
    }

    /** Appends a record; it is delivered at the next {@link #deliver}. */
    void append(Topic topic, int writer, int partition, byte[] key, byte @Nullable [] value, long time) {
        open.computeIfAbsent(new Place(topic, writer, partition), any -> new ArrayList<>())
                .add(new SimpleRecord(time, key, value));
    }

    /** Counts a batch of one record that {@code times} agents write, and delivers nothing. */
    void appendAlike(Topic topic, byte[] key, byte[] value, long time, long times) {
        if (measuring && times > 0) {
            count(topic, List.of(new SimpleRecord(time, key, value)), times);
        }
    }

    /** Closes all batches and passes on their records. */
    void deliver() {
        Map<Place, List<SimpleRecord>> closed = open;
        open = new LinkedHashMap<>();
        closed.forEach((place, records) -> {
            if (measuring) {
                writtenBy[place.writer] += count(place.topic, records, 1);
            }
            for (SimpleRecord record : records) {
                receiver.record(
                        place.topic,
                        place.partition,
                        record.key().array(),
                        record.value() == null ? null : record.value().array());
            }
        });
    }

    private long count(Topic topic, List<SimpleRecord> records, long times) {
        int bytes = MemoryRecords.withRecords(LZ4, records.toArray(SimpleRecord[]::new))
                .sizeInBytes();
        of(written, topic).add(records.size(), bytes, times);
        of(readByInstances, topic).add(records.size(), bytes, times * topic.instanceReaders(scenario));
        of(readByAgents, topic).add(records.size(), bytes, times * topic.agentReaders(scenario));
        return bytes * times;
    }

    /** Returns what was written to a topic. */
    Flow written(Topic topic) {
        return of(written, topic);
    }

    /** Returns what all instances together read of a topic. */
    Flow readByInstances(Topic topic) {
        return of(readByInstances, topic);
    }

    /** Returns what all agents together read of a topic. */
    Flow readByAgents(Topic topic) {
        return of(readByAgents, topic);
    }

    /** Returns the bytes that an instance wrote. */
    long writtenBy(int instance) {
        return writtenBy[instance];
    }

    private static Flow of(Map<Topic, Flow> flows, Topic topic) {
        return Objects.requireNonNull(flows.get(topic));
    }
}
