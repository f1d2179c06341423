package io.sluice.benchmarks.recovery;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.workload.BenchmarkBroker;
import io.sluice.benchmarks.workload.Policies;
import java.nio.file.Files;
import java.nio.file.Path;

/** How soon an agent is ready with a million locks, and an analyzer with a million subjects. */
public final class RecoveryBenchmark implements Benchmark {
    /** No caller of this benchmark exceeds it. */
    static final String POLICIES = Policies.requests("1m", 60, 100_000);

    @Override
    public String name() {
        return "recovery";
    }

    @Override
    public String purpose() {
        return "the start of an agent with many locks, and of an analyzer with many subjects";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        Path folder = Files.createTempDirectory("sluice-recovery");
        try (BenchmarkBroker broker = BenchmarkBroker.start()) {
            new AgentStart(broker.bootstrapServers()).run(scale, Policies.read(POLICIES), report);
            new AnalyzerRestart(broker.bootstrapServers(), folder).run(scale, report);
        } finally {
            AnalyzerRestart.delete(folder);
        }
    }
}
