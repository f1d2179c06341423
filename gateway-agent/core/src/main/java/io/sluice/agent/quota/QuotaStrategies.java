package io.sluice.agent.quota;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Makes the strategies that settings name, with the providers on the class path. */
public final class QuotaStrategies {
    private QuotaStrategies() {}

    /**
     * Makes a strategy for each name.
     *
     * @param section where the settings stand, for messages, such as {@code agent.quota}
     * @param settings the settings of each strategy, by its name
     * @return the strategies, to be closed by the caller
     * @throws IllegalArgumentException if a name is unknown or a setting can't be used; with all problems at once, and nothing stays open
     */
    public static QuotaStrategy[] of(String section, Map<String, Map<String, String>> settings) {
        Map<String, QuotaStrategyProvider> providers = new TreeMap<>();
        if (!settings.isEmpty()) {
            ServiceLoader.load(QuotaStrategyProvider.class).forEach(it -> providers.put(it.name(), it));
        }
        List<QuotaStrategy> made = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        new TreeMap<>(settings).forEach((name, of) -> {
            QuotaStrategyProvider provider = providers.get(name);
            if (provider == null) {
                problems.add(section + "." + name + ": found an unknown strategy, allowed is "
                        + (providers.isEmpty() ? "none" : "any of " + String.join(", ", providers.keySet()))
                        + ": what is on the class path; sluice-quota-redis brings redis and redis-chunks, sluice-quota-sql sql,"
                        + " sluice-quota-token-server token-server");
                return;
            }
            try {
                made.add(provider.create(of));
            } catch (IllegalArgumentException e) {
                problems.add(section + "." + name + ": " + e.getMessage());
            }
        });
        if (!problems.isEmpty()) {
            made.forEach(QuotaStrategy::close);
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return made.toArray(new QuotaStrategy[0]);
    }
}
