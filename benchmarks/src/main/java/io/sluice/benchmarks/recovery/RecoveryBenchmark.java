package io.sluice.benchmarks.recovery;

import io.sluice.benchmarks.Benchmark;
import io.sluice.benchmarks.Report;
import io.sluice.benchmarks.Scale;
import io.sluice.kafka.embedded.KafkaProcess;

/** How soon an agent is ready with a million locks, and an analyzer with a million subjects. */
public final class RecoveryBenchmark implements Benchmark {

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
        try (KafkaProcess broker = KafkaProcess.builder().start()) {
            new AgentStart(broker.bootstrapServers()).run(scale, Policies.set(), report);
        }
    }
}
