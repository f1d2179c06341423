package io.sluice.benchmarks.idle;

import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.workload.PlainAnalyzer;
import io.sluice.benchmarks.workload.Policies;
import io.sluice.benchmarks.workload.TopicSizes;
import io.sluice.contract.lock.BrokerClock;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/** An analyzer of five policies that nothing is sent to: what it writes, uses and holds. */
final class IdleChild {
    private static final String PREFIX = "idle.";
    private static final double NANOS = 1e9;

    private IdleChild() {}

    /** Bootstrap servers, a folder, partitions, seconds of warm-up, seconds to measure. */
    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        AnalyzerOptions options = PlainAnalyzer.options(
                arguments[0],
                PREFIX,
                Path.of(arguments[1], "state"),
                Integer.parseInt(arguments[2]),
                1,
                Policies.read(Policies.FIVE));
        try (Admin admin = Admin.create(options.client());
                Analyzer analyzer = Analyzer.start(options)) {
            while (!analyzer.running() || analyzer.fleet().clock().now(System.nanoTime()) == BrokerClock.UNKNOWN) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            TimeUnit.SECONDS.sleep(Long.parseLong(arguments[3]));
            TopicSizes topics = new TopicSizes(admin);
            Map<String, Long> before = topics.records();
            long begun = System.nanoTime();
            IdleCost.begin().tell(Long.parseLong(arguments[4]));
            double passed = (System.nanoTime() - begun) / NANOS;
            topics.records().forEach((topic, count) -> {
                long more = count - before.getOrDefault(topic, 0L);
                if (more > 0) {
                    Child.tell(topic, more / passed);
                }
            });
        }
    }
}
