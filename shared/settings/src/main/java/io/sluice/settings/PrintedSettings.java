package io.sluice.settings;

import io.sluice.contract.topic.MaskedSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Output of {@code --print-config}: every key with its value and where it came from; secrets masked. */
final class PrintedSettings {
    private PrintedSettings() {}

    static String of(Values values, Map<String, Found> found, KafkaSettings kafka) {
        StringBuilder out = new StringBuilder();
        for (String key : KnownKeys.DEFAULTS.keySet()) {
            line(out, key, values.at(key));
        }
        Set<String> sources = new TreeSet<>(found.keySet());
        sources.removeIf(key -> !key.startsWith("sources."));
        sources.forEach(key -> line(out, key, values.at(key)));
        Set<String> webhooks = new TreeSet<>(found.keySet());
        webhooks.removeIf(key -> !key.startsWith("webhooks."));
        // the address is enough to post there: it is as good as a password
        webhooks.forEach(key -> line(
                out,
                key,
                key.endsWith(".url")
                        ? new Found(List.of(MaskedSettings.MASK), values.at(key).place())
                        : values.at(key)));
        Set<String> quotas = new TreeSet<>(found.keySet());
        quotas.removeIf(key -> !KnownKeys.QUOTA_KEY.matcher(key).matches());
        // a store's address may hold a password
        quotas.forEach(key -> line(
                out, key, new Found(List.of(MaskedSettings.MASK), values.at(key).place())));
        kafka.properties()
                .forEach((name, value) -> out.append("kafka client ")
                        .append(name)
                        .append(": ")
                        .append(MaskedSettings.value(name, value))
                        .append('\n'));
        return out.toString();
    }

    private static void line(StringBuilder out, String key, Found at) {
        String value = at.values().isEmpty() ? "~" : String.join(", ", at.values());
        out.append(key)
                .append(": ")
                .append(value)
                .append("    # ")
                .append(at.place())
                .append('\n');
    }
}
