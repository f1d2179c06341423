package io.sluice.analyzer.metrics;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.analyzer.notify.Notifier;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.contract.lock.ReactionBuckets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that one analyzer measures, for Prometheus. It reads the counters that the tasks keep anyway, when it is asked; only a lock
 * that opens is reported to it. No label ever holds a client's text: policies, reasons and states are all there are. Thread-safe.
 */
public final class AnalyzerMetrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final PolicyMeters policies;
    private final List<Runnable> closing = new ArrayList<>();

    private AnalyzerMetrics(Analyzer analyzer) {
        policies = new PolicyMeters(analyzer, registry);
        new TaskMeters(analyzer).bindTo(registry);
        Timer reaction = Timer.builder("sluice.reaction")
                .description("from the event that crossed a threshold to the decision, by the broker's time")
                .tags("from", "crossed", "to", "decided")
                .serviceLevelObjectives(ReactionBuckets.upperBounds())
                .register(registry);
        analyzer.tallies().listen(millis -> reaction.record(Duration.ofMillis(millis)));
        analyzer.kafkaMetrics().ifPresent(kafka -> {
            closing.add(kafka::close);
            kafka.bindTo(registry);
        });
        JvmGcMetrics collections = new JvmGcMetrics();
        closing.add(collections::close);
        for (MeterBinder process : List.of(
                collections,
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new ProcessorMetrics(),
                new UptimeMetrics())) {
            process.bindTo(registry);
        }
    }

    /** The metrics of an analyzer that was started. */
    public static AnalyzerMetrics of(Analyzer analyzer) {
        return new AnalyzerMetrics(analyzer);
    }

    /** Adds the metrics of notifications. To be called once; the notifiers are not closed with it. */
    public void webhooks(List<Notifier> notifiers) {
        WebhookMeters meters = new WebhookMeters(notifiers);
        closing.add(meters::close);
        meters.bindTo(registry);
    }

    /** Adds the metrics of a part that this module does not know. To be called once for each. */
    public void add(MeterBinder part) {
        part.bindTo(registry);
    }

    /** All of it, in Prometheus's text format. */
    public String scrape() {
        policies.follow();
        return registry.scrape();
    }

    @Override
    public void close() {
        closing.forEach(Runnable::run);
        registry.close();
    }
}
