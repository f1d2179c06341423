package io.sluice.benchmarks.fleet;

import com.sun.management.OperatingSystemMXBean;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.workload.PlainAnalyzer;
import io.sluice.benchmarks.workload.Policies;
import io.sluice.benchmarks.workload.TopicSizes;
import io.sluice.contract.lock.BrokerClock;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/** The process of a {@link Calibration}: a real analyzer, and the rate at which its topics grow. */
final class RealAnalyzer {
    static final String PREFIX = "fleet.";
    static final String RECORDS = "records:";
    static final String BYTES = "bytes:";
    static final String EVENTS = "events";
    static final String CPU = "cpu";
    static final String HEAP = "heap";
    private static final double MEBIBYTE = 1 << 20;

    private RealAnalyzer() {}

    /** Bootstrap servers, a folder, partitions, events per second, seconds to warm up, seconds to measure, threads. */
    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        int partitions = Integer.parseInt(arguments[2]);
        int eventsPerSecond = Integer.parseInt(arguments[3]);
        long warmUp = Long.parseLong(arguments[4]);
        long seconds = Long.parseLong(arguments[5]);
        AnalyzerOptions options = PlainAnalyzer.options(
                arguments[0],
                PREFIX,
                Path.of(arguments[1], "state"),
                partitions,
                Integer.parseInt(arguments[6]),
                Policies.read(Policies.FIVE));
        try (Admin admin = Admin.create(options.client());
                Analyzer analyzer = Analyzer.start(options);
                RealTraffic traffic = new RealTraffic(arguments[0], PREFIX + "requests", partitions, eventsPerSecond)) {
            while (!analyzer.running() || analyzer.fleet().clock().now(System.nanoTime()) == BrokerClock.UNKNOWN) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            traffic.start();
            TimeUnit.SECONDS.sleep(warmUp);
            measure(new TopicSizes(admin), traffic, seconds);
        }
    }

    private static void measure(TopicSizes topics, RealTraffic traffic, long seconds) throws Exception {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long began = System.nanoTime();
        Map<String, Long> records = topics.records();
        Map<String, Long> bytes = topics.bytes();
        long sent = traffic.sent();
        long cpu = system.getProcessCpuTime();
        TimeUnit.SECONDS.sleep(seconds);
        Child.tell(CPU, 100.0 * (system.getProcessCpuTime() - cpu) / (System.nanoTime() - began));
        double passed = (System.nanoTime() - began) / 1e9;
        rates(RECORDS, records, topics.records(), passed);
        rates(BYTES, bytes, topics.bytes(), passed);
        Child.tell(EVENTS, (traffic.sent() - sent) / passed);
        System.gc();
        Child.tell(
                HEAP, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEBIBYTE);
    }

    private static void rates(String kind, Map<String, Long> before, Map<String, Long> after, double seconds) {
        after.forEach((topic, value) -> Child.tell(kind + topic, (value - before.getOrDefault(topic, 0L)) / seconds));
    }
}
