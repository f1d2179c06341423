package io.sluice.quota.contract;

import io.sluice.testing.StoreServer;
import java.io.IOException;
import java.util.Map;

/** A real store that a test started. */
public interface QuotaCentre extends AutoCloseable {
    /**
     * Returns the store's processes, with their faults.
     *
     * @return always the same
     */
    StoreServer server();

    /**
     * Returns what a client needs.
     *
     * @return settings for {@link io.sluice.agent.quota.QuotaStrategyProvider#create}, the same before and after a restart
     */
    Map<String, String> settings();

    /**
     * Returns whether the store has after a kill and a restart what it granted before.
     *
     * @return false when a killed store starts empty
     */
    boolean keepsQuotas();

    /**
     * Returns how many quotas the store holds in memory or on disk, expired ones that were not removed yet included.
     *
     * @return keys or rows
     * @throws Exception when the store cannot be asked
     */
    long quotas() throws Exception;

    /**
     * Ends the store and removes its files.
     *
     * @throws IOException when they cannot be removed
     */
    @Override
    default void close() throws IOException {
        server().close();
    }
}
