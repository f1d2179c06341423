package io.sluice.sidecar;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.agent.GateAgent;
import io.sluice.agent.metrics.GateMetrics;
import java.util.List;

/** Metrics of the sidecar's agent and its process, for Prometheus: the same names as of every other agent. Thread-safe. */
final class SidecarMetrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();

    SidecarMetrics(GateAgent agent, IncompleteCalls incomplete) {
        Gauge.builder("sluice.sidecar.grpc.incomplete", incomplete, IncompleteCalls::bytes)
                .baseUnit("bytes")
                .register(registry);
        FunctionCounter.builder("sluice.sidecar.grpc.ended", incomplete, IncompleteCalls::ended)
                .register(registry);
        for (MeterBinder meters : List.of(
                new GateMetrics(agent),
                collections,
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new ProcessorMetrics(),
                new UptimeMetrics())) {
            meters.bindTo(registry);
        }
    }

    /** Adds those of a token server. */
    void add(TokenCentre tokens) {
        tokens.bindTo(registry);
    }

    /** All of it, in Prometheus's text format. */
    String scrape() {
        return registry.scrape();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
