package io.sluice.benchmarks.recovery;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.workload.PlainAnalyzer;
import io.sluice.benchmarks.workload.Policies;
import io.sluice.contract.lock.BrokerClock;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A process that starts an analyzer and waits until it works: all tasks are restored, it has counted as many events as it
 * is told, and has read back a heartbeat of its own, without which it decides nothing.
 */
final class RestartChild {
    static final String PREFIX = "restart.";

    /** How it ends. */
    enum End {
        /** Everything is closed and committed. */
        CLEAN,
        /** As by kill -9: nothing is closed, nothing is written. */
        KILLED
    }

    private RestartChild() {}

    /** Bootstrap servers, state directory, how many events to count, how to end. */
    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        long events = Long.parseLong(arguments[2]);
        AnalyzerOptions options = PlainAnalyzer.options(
                arguments[0], PREFIX, Path.of(arguments[1]), 4, 1, Policies.read(RecoveryBenchmark.POLICIES));
        try (Analyzer analyzer = Analyzer.start(options)) {
            while (!works(analyzer, events)) {
                TimeUnit.MILLISECONDS.sleep(2);
            }
            Child.tell("seconds", Lifetime.seconds());
            if (End.valueOf(arguments[3]) == End.KILLED) {
                Runtime.getRuntime().halt(0);
            }
        }
    }

    private static boolean works(Analyzer analyzer, long events) {
        return analyzer.running()
                && analyzer.counts().getOrDefault(Count.EVENTS, 0L) >= events
                && analyzer.fleet().clock().now(System.nanoTime()) != BrokerClock.UNKNOWN;
    }
}
