package io.sluice.analyzer.main;

import io.sluice.analyzer.notify.Holding;
import io.sluice.analyzer.notify.Notifier;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.analyzer.run.CannotStart;
import io.sluice.contract.topic.TopicNames;
import io.sluice.settings.FileErrors;
import io.sluice.settings.SluiceSettings;
import io.sluice.settings.WebhookSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The notifiers of one analyzer: one for each receiver, most analyzers have none. */
final class Webhooks implements AutoCloseable {
    private final List<Notifier> notifiers = new ArrayList<>();

    private Webhooks() {}

    /**
     * @param brokerTime epoch milliseconds
     * @throws CannotStart when a secret can't be read
     */
    static Webhooks start(SluiceSettings settings, AnalyzerOptions options, LongSupplier brokerTime)
            throws CannotStart {
        Webhooks webhooks = new Webhooks();
        TopicNames topics = new TopicNames(options.topics().prefix());
        for (WebhookSettings webhook : settings.webhooks()) {
            try {
                webhooks.notifiers.add(Notifier.start(
                        webhook,
                        options.client(),
                        options.applicationId(),
                        topics.gateLocks(),
                        new Holding(options.analyzer().maxLease(), brokerTime)));
            } catch (IOException e) {
                webhooks.close();
                throw new CannotStart("webhooks: "
                        + (webhook.secretFile() == null
                                ? e.getMessage()
                                : FileErrors.message(webhook.secretFile(), e)));
            }
        }
        return webhooks;
    }

    List<Notifier> notifiers() {
        return List.copyOf(notifiers);
    }

    @Override
    public String toString() {
        return notifiers.size() + " webhooks";
    }

    @Override
    public void close() {
        notifiers.forEach(Notifier::close);
    }
}
