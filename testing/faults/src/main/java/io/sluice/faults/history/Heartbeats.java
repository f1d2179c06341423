package io.sluice.faults.history;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.topic.TopicNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What analyzers' heartbeats tell: which of them decided for which partition, in which of its lives, from when to when. */
public final class Heartbeats {
    private final Map<Integer, List<Beat>> beats = new TreeMap<>();

    /**
     * One heartbeat.
     *
     * @param append the broker's time
     * @param epoch which life of the partition's decide task
     * @param instance which analyzer
     * @param active about how many subjects of each policy the task knew
     */
    public record Beat(long append, long epoch, String instance, Map<String, Integer> active) {}

    private Heartbeats() {}

    /** All that stand on gate-locks now. */
    public static Heartbeats of(String bootstrap, TopicNames topics) {
        Heartbeats heartbeats = new Heartbeats();
        TopicHistory.read(bootstrap, topics.gateLocks(), heartbeats::add);
        return heartbeats;
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return;
        }
        try {
            if (GateLockJson.read(record.value()).orElse(null) instanceof AnalyzerHeartbeat beat) {
                beats.computeIfAbsent(record.partition(), any -> new ArrayList<>())
                        .add(new Beat(record.timestamp(), beat.version().epoch(), beat.instance(), beat.active()));
            }
        } catch (MalformedRecord e) {
            throw new IllegalStateException("an analyzer wrote what can't be read", e);
        }
    }

    /**
     * Returns whether each partition is decided, since some time, by a task that knows what time it is: with its second heartbeat it
     * has heard its first.
     *
     * @param instances whose tasks count
     */
    public boolean able(int partitions, long since, List<String> instances) {
        return beats.size() == partitions
                && beats.values().stream().allMatch(its -> {
                    Map<Long, Integer> lives = new HashMap<>();
                    its.stream()
                            .filter(beat -> beat.append > since && instances.contains(beat.instance))
                            .forEach(beat -> lives.merge(beat.epoch, 1, Integer::sum));
                    return lives.values().stream().anyMatch(count -> count > 1);
                });
    }

    /** Returns about how many active subjects of a policy the guards of all tasks know, by their newest heartbeats. */
    public long active(String policy) {
        return beats.values().stream()
                .mapToLong(its -> its.get(its.size() - 1).active().getOrDefault(policy, 0))
                .sum();
    }

    /** The longest time for which any partition had no heartbeat, milliseconds, between two times. */
    public long longestGap(long from, long to) {
        long longest = 0;
        for (List<Beat> its : beats.values()) {
            long last = from;
            for (Beat beat : its) {
                if (beat.append >= from && beat.append <= to) {
                    longest = Math.max(longest, beat.append - last);
                    last = beat.append;
                }
            }
            longest = Math.max(longest, to - last);
        }
        return longest;
    }

    /** How many lives the tasks of all partitions had. */
    public long lives() {
        return beats.values().stream()
                .mapToLong(its -> its.stream().map(Beat::epoch).distinct().count())
                .sum();
    }

    /** Heartbeats that stand behind one of a later life of the same task, each after the one before it: a zombie's. */
    public List<List<Beat>> backwards() {
        List<List<Beat>> backwards = new ArrayList<>();
        for (List<Beat> its : beats.values()) {
            Beat newest = null;
            for (Beat beat : its) {
                if (newest != null && beat.epoch < newest.epoch) {
                    backwards.add(List.of(newest, beat));
                } else {
                    newest = beat;
                }
            }
        }
        return backwards;
    }
}
