package io.sluice.benchmarks.workload;

import io.sluice.kafka.embedded.KafkaProcess;
import java.util.Map;

/** A broker in a process of its own, as a server is run: what it does costs the measured process nothing. */
public final class BenchmarkBroker implements AutoCloseable {
    private final KafkaProcess process;

    private BenchmarkBroker(KafkaProcess process) {
        this.process = process;
    }

    /** With a gigabyte of heap, compiled to the end, and data that is deleted on closing. */
    public static BenchmarkBroker start() {
        return start(Map.of());
    }

    /** The same with other settings of the broker's besides. */
    public static BenchmarkBroker start(Map<String, String> properties) {
        KafkaProcess.Builder broker = KafkaProcess.builder();
        properties.forEach(broker::property);
        return new BenchmarkBroker(broker.javaOptions("-Xmx1g", "-Xms1g", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20")
                // a run's topics are gone before the next one needs the disk
                .property("log.segment.delete.delay.ms", "1000")
                .property("log.cleaner.enable", "false")
                .start());
    }

    public String bootstrapServers() {
        return process.bootstrapServers();
    }

    @Override
    public void close() {
        process.close();
    }
}
