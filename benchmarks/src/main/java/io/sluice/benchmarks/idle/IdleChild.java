package io.sluice.benchmarks.idle;

import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.workload.Policies;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.SourceSettings;
import io.sluice.settings.TopicSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** An analyzer of five policies that nothing is sent to: what it writes, uses and holds. */
final class IdleChild {
    private static final String PREFIX = "idle.";
    private static final double NANOS = 1e9;

    private IdleChild() {}

    /** Bootstrap servers, a folder, partitions, seconds of warm-up, seconds to measure. */
    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        AnalyzerOptions options = options(arguments[0], Path.of(arguments[1]), Integer.parseInt(arguments[2]));
        try (Admin admin = Admin.create(options.client());
                Analyzer analyzer = Analyzer.start(options)) {
            while (!analyzer.running() || analyzer.fleet().clock().now(System.nanoTime()) == BrokerClock.UNKNOWN) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            TimeUnit.SECONDS.sleep(Long.parseLong(arguments[3]));
            Map<String, Long> before = records(admin);
            long begun = System.nanoTime();
            IdleCost.begin().tell(Long.parseLong(arguments[4]));
            double passed = (System.nanoTime() - begun) / NANOS;
            records(admin).forEach((topic, count) -> {
                long more = count - before.getOrDefault(topic, 0L);
                if (more > 0) {
                    Child.tell(topic, more / passed);
                }
            });
        }
    }

    private static Map<String, Long> records(Admin admin) throws Exception {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        admin.describeTopics(admin.listTopics(new ListTopicsOptions().listInternal(true))
                        .names()
                        .get())
                .allTopicNames()
                .get()
                .values()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> asked.put(
                                new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest())));
        Map<String, Long> records = new HashMap<>();
        admin.listOffsets(asked)
                .all()
                .get()
                .forEach((partition, end) -> records.merge(partition.topic(), end.offset(), Long::sum));
        return records;
    }

    private static AnalyzerOptions options(String bootstrapServers, Path folder, int partitions) throws Exception {
        SourceSettings source = new SourceSettings(
                PREFIX + "requests", "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
        AnalyzerSettings analyzer = new AnalyzerSettings(
                "one",
                folder.resolve("state"),
                1,
                0,
                false,
                5,
                200,
                60_000,
                5_000,
                30_000,
                TimeUnit.MINUTES.toMillis(10),
                128 << 20);
        return new AnalyzerOptions(
                Map.of("bootstrap.servers", bootstrapServers),
                new TopicSettings(PREFIX, partitions, (short) -1, true),
                true,
                List.of(source),
                analyzer,
                Policies.read(Policies.FIVE));
    }
}
