package io.sluice.analyzer.api;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.analyzer.api.SharedAnswers.Source;

/** Metrics of answers and of clients that follow events. */
final class ApiMeters implements MeterBinder {
    private final SharedAnswers shared;
    private final EventStreams events;

    ApiMeters(SharedAnswers shared, EventStreams events) {
        this.shared = shared;
        this.events = events;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Source source : Source.values()) {
            FunctionCounter.builder("sluice.api.answers", shared, answers -> answers.count(source))
                    .tag("source", source.label())
                    .description("answers of the API, by where they came from")
                    .register(registry);
        }
        Gauge.builder("sluice.api.shared.bytes", shared, SharedAnswers::bytes)
                .description("answers that are kept to be given again")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("sluice.api.event.clients", events, EventStreams::open)
                .description("clients that follow events, such as open dashboards")
                .register(registry);
    }
}
