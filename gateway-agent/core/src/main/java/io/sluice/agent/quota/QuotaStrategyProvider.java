package io.sluice.agent.quota;

import java.util.Map;

/** Makes a strategy from settings. Found by {@link java.util.ServiceLoader}, so that a sidecar or a Spring application needs settings alone. */
public interface QuotaStrategyProvider {

    /**
     * Returns the name that policies use in {@code strategy}, and that settings use in {@code agent.quota.NAME}.
     *
     * @return lower-case letters, digits and dashes
     */
    String name();

    /**
     * Makes the strategy. Does not wait for the store: a store that is down at the start is used once it is there.
     *
     * @param settings the entries below {@code agent.quota.NAME}, by key, as texts
     * @return a strategy to be closed by the caller
     * @throws IllegalArgumentException if a setting is missing, unknown or out of range; the message names it, the value and what is allowed
     */
    QuotaStrategy create(Map<String, String> settings);
}
