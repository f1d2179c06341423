package io.sluice.analyzer.main;

import io.sluice.analyzer.notify.Holding;
import io.sluice.analyzer.notify.Notifier;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.contract.topic.TopicNames;
import io.sluice.settings.SluiceSettings;
import io.sluice.settings.WebhookSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** The notifiers of one analyzer: one for each receiver, most analyzers have none. */
final class Webhooks implements AutoCloseable {
    private final List<Notifier> notifiers = new ArrayList<>();

    private Webhooks() {}

    /**
     * @param secrets by their files
     * @param brokerTime epoch milliseconds
     */
    static Webhooks start(
            SluiceSettings settings, Map<Path, byte[]> secrets, AnalyzerOptions options, LongSupplier brokerTime) {
        Webhooks webhooks = new Webhooks();
        TopicNames topics = new TopicNames(options.topics().prefix());
        for (WebhookSettings webhook : settings.webhooks()) {
            Path file = webhook.secretFile();
            webhooks.notifiers.add(Notifier.start(
                    webhook,
                    file == null ? null : secrets.get(file),
                    options.client(),
                    options.applicationId(),
                    topics.gateLocks(),
                    new Holding(options.analyzer().maxLease(), brokerTime)));
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
