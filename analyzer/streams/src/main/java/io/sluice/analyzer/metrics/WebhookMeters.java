package io.sluice.analyzer.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.analyzer.notify.Notifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Counts of notifications by receiving host: several webhooks of one host are one. */
final class WebhookMeters implements MeterBinder, AutoCloseable {
    private static final String DELIVERIES = "sluice.webhook.deliveries";

    // a function counter does not hold what it reads: it is held here
    private final Map<String, List<Notifier>> receivers = new HashMap<>();

    WebhookMeters(List<Notifier> notifiers) {
        receivers.putAll(notifiers.stream().collect(Collectors.groupingBy(Notifier::receiver)));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        receivers.forEach((receiver, notifiers) -> {
            counter(DELIVERIES, notifiers, Notifier::taken)
                    .tags("receiver", receiver, "outcome", "taken")
                    .description("notifications that a receiver took, or that were given up")
                    .register(registry);
            counter(DELIVERIES, notifiers, Notifier::lost)
                    .tags("receiver", receiver, "outcome", "given-up")
                    .register(registry);
            counter(DELIVERIES, notifiers, Notifier::over)
                    .tags("receiver", receiver, "outcome", "over")
                    .register(registry);
            counter("sluice.webhook.retries", notifiers, Notifier::retried)
                    .tags("receiver", receiver)
                    .description("repeated deliveries to a receiver")
                    .register(registry);
        });
    }

    @Override
    public void close() {
        receivers.clear();
    }

    private static FunctionCounter.Builder<List<Notifier>> counter(
            String name, List<Notifier> notifiers, ToLongFunction<Notifier> of) {
        return FunctionCounter.builder(
                name, notifiers, all -> all.stream().mapToLong(of).sum());
    }
}
