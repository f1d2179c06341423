package io.sluice.analyzer.run;

import static org.awaitility.Awaitility.await;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.SourceSettings;
import io.sluice.settings.TopicSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Analyzers of one test, on topics of their own. */
public final class TestFleet implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** A machine that stands still for longer than a session loses its tasks, and what they have only in heap. */
    private static final int LONG_SESSION_MILLIS = 600_000;

    private static final int SHORT_SESSION_MILLIS = 6_000;

    public final TopicNames topics;
    private final Path directory;
    private final int partitions;
    private final List<Analyzer> analyzers = new ArrayList<>();
    private int sessionMillis = LONG_SESSION_MILLIS;

    public TestFleet(Path directory, int partitions) {
        this(directory, partitions, new TopicNames(TestKafka.name("t") + "."));
    }

    public TestFleet(Path directory, int partitions, TopicNames topics) {
        this.directory = directory;
        this.partitions = partitions;
        this.topics = topics;
    }

    /** Others take over from its analyzers, and start in their place, some seconds after they have stopped. */
    TestFleet handingOver() {
        sessionMillis = SHORT_SESSION_MILLIS;
        return this;
    }

    public AnalyzerOptions options(String instance, PolicySet policies, boolean exactlyOnce) {
        Map<String, Object> client = new HashMap<>(TestKafka.client());
        client.put("session.timeout.ms", sessionMillis);
        return new AnalyzerOptions(
                client,
                new TopicSettings(topics.prefix(), partitions, (short) -1, true),
                true,
                List.of(json(topics.requests())),
                analyzer(instance, exactlyOnce),
                policies);
    }

    /** Its events count and open locks although the machine stood still for minutes between a send and its handling. */
    public AnalyzerSettings analyzer(String instance, boolean exactlyOnce) {
        return new AnalyzerSettings(
                instance, directory, 1, 0, exactlyOnce, 5, 200, 600_000, 5_000, 600_000, 600_000, 128 << 20);
    }

    public static SourceSettings json(String topic) {
        return new SourceSettings(topic, "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
    }

    public Analyzer start(AnalyzerOptions options) throws CannotStart {
        Analyzer analyzer = Analyzer.start(options);
        analyzers.add(analyzer);
        return analyzer;
    }

    public Analyzer start(String instance, PolicySet policies) throws CannotStart {
        return start(options(instance, policies, false));
    }

    /** Stops an analyzer; {@link #awaitReady} does not wait for it any more. */
    public void stop(Analyzer analyzer) {
        analyzer.close();
        analyzers.remove(analyzer);
    }

    /** Every lock record so far, releases among them, heartbeats not. */
    public List<GateLock> locks() {
        return TestKafka.read(topics.gateLocks()).stream()
                .filter(record -> record.value() != null)
                .map(record -> {
                    try {
                        return GateLockJson.read(record.value()).orElseThrow();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .filter(GateLock.class::isInstance)
                .map(GateLock.class::cast)
                .toList();
    }

    /** Sums of what the meters sent, subject by subject, whatever pane and policy. */
    public Map<List<String>, Long> usage() {
        Map<List<String>, Long> sums = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : TestKafka.read(topics.usage())) {
            try {
                UsageBundle.read(record.value(), (key, value) -> {
                    if (UsageCodec.read(value) instanceof UsagePartial partial && !partial.load()) {
                        sums.merge(UsageKey.read(key).subject(), partial.admitted(), Long::sum);
                    }
                });
            } catch (MalformedRecord e) {
                throw new IllegalStateException(e);
            }
        }
        return sums;
    }

    /** Waits until the analyzers that were not stopped run, and every partition is decided by a task whose clock is set. */
    public void awaitReady() {
        await().atMost(PATIENCE).until(() -> analyzers.stream().allMatch(Analyzer::running));
        Map<Integer, Long> before = new HashMap<>();
        TestKafka.read(topics.gateLocks())
                .forEach(record -> before.merge(record.partition(), record.offset(), Math::max));
        await().atMost(PATIENCE).until(() -> decided(before).size() == partitions);
    }

    /**
     * Partitions with two heartbeats of one incarnation of their decide task: by the second it has read back the first.
     *
     * @param before offsets of records that do not count, by partition
     */
    private Set<Integer> decided(Map<Integer, Long> before) throws MalformedRecord {
        Set<List<Long>> once = new HashSet<>();
        Set<Integer> twice = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> record : TestKafka.read(topics.gateLocks())) {
            if (record.value() != null
                    && record.offset() > before.getOrDefault(record.partition(), -1L)
                    && GateLockJson.read(record.value()).orElseThrow() instanceof AnalyzerHeartbeat beat
                    && !once.add(
                            List.of((long) record.partition(), beat.version().epoch()))) {
                twice.add(record.partition());
            }
        }
        return twice;
    }

    /** An access log entry of now. */
    public static String event(String caller) {
        return event(caller, System.currentTimeMillis());
    }

    public static String event(String caller, long time) {
        return "{\"time\":" + time + ",\"caller\":\"" + caller
                + "\",\"service\":\"orders\",\"status\":200,\"bytes\":100}";
    }

    /** So many entries of now. */
    public void send(String caller, int many) {
        TestKafka.send(
                topics.requests(),
                IntStream.range(0, many).mapToObj(i -> event(caller)).toList());
    }

    @Override
    public void close() {
        analyzers.forEach(Analyzer::close);
    }
}
