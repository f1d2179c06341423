package io.sluice.faults;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.UsageRecord;
import io.sluice.faults.history.UsageRecords;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What an analyzer has counted, decided and put aside, read from its topics as it comes. Thread-safe. */
final class Followed implements TopicFollower.Listener, AutoCloseable {
    private final TopicNames topics;
    private final TopicFollower follower;
    /** Of each topic, where its dead ones stood: an analyzer that loses its tasks under load may put one aside twice. */
    private final Map<String, Set<String>> deadLetters = new ConcurrentHashMap<>();

    private final Map<List<String>, Long> admitted = new ConcurrentHashMap<>();
    private final Map<Integer, Long> meters = new ConcurrentHashMap<>();
    private final Set<List<String>> locked = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> agents = new ConcurrentHashMap<>();
    private final AtomicLong longest = new AtomicLong();

    Followed(String bootstrap, TopicNames topics) {
        this.topics = topics;
        follower = new TopicFollower(
                Map.of("bootstrap.servers", bootstrap),
                List.of(topics.usage(), topics.gateLocks(), topics.deadLetters()),
                this);
        follower.start();
    }

    @Override
    public void record(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (record.topic().equals(topics.deadLetters())) {
                putAside(record);
            } else if (record.key() != null
                    && record.value() != null
                    && record.topic().equals(topics.usage())) {
                UsageRecords.read(record.key(), record.value(), this::counted);
            } else if (record.value() != null && record.topic().equals(topics.gateLocks())) {
                GateLockJson.read(record.value()).ifPresent(read -> {
                    if (read instanceof GateLock lock) {
                        locked.add(List.of(lock.policy(), String.join("/", lock.subject())));
                    } else if (read instanceof AnalyzerHeartbeat heartbeat) {
                        heartbeat.liveAgents().forEach((service, many) -> agents.merge(service, many, Math::max));
                    }
                });
            }
        } catch (MalformedRecord poison) {
            // put there by the test
        }
    }

    private void counted(UsageKey key, UsageRecord usage) {
        if (usage instanceof UsagePartial partial && !partial.load()) {
            admitted.merge(List.of(key.policy(), String.join("/", key.subject())), partial.admitted(), Long::sum);
        }
        if (key.equals(UsageKey.ofMeter(usage.origin().task()))) {
            meters.put(usage.origin().task(), usage.origin().epoch());
        }
    }

    private void putAside(ConsumerRecord<byte[], byte[]> record) {
        deadLetters
                .computeIfAbsent(header(record, "sluice.topic"), any -> ConcurrentHashMap.newKeySet())
                .add(header(record, "sluice.partition") + "@" + header(record, "sluice.offset"));
        longest.accumulateAndGet(record.value() == null ? 0 : record.value().length, Math::max);
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    @Override
    public void caughtUp() {}

    /** How many records of a topic were put aside. */
    long deadLetters(String topic) {
        return deadLetters.getOrDefault(topic, Set.of()).size();
    }

    /** The longest value that was put aside, in bytes. */
    long longest() {
        return longest.get();
    }

    /** How much was counted for a subject. */
    long admitted(String policy, String subject) {
        return admitted.getOrDefault(List.of(policy, subject), 0L);
    }

    /** Whether there was ever a lock on a subject. */
    boolean locked(String policy, String subject) {
        return locked.contains(List.of(policy, subject));
    }

    /** The most agents of a service that a decide task ever knew at once. */
    int agents(String service) {
        return agents.getOrDefault(service, 0);
    }

    /** The life that a meter is in; 0 while it is not known. */
    long meterEpoch(int meter) {
        return meters.getOrDefault(meter, 0L);
    }

    @Override
    public void close() {
        follower.close();
    }
}
