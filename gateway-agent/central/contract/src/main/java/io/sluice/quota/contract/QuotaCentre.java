package io.sluice.quota.contract;

import java.io.IOException;
import java.util.Map;

/** A real store that a test started, with its faults. Used by one thread, except {@link #freeze} and {@link #thaw}. */
public interface QuotaCentre extends AutoCloseable {
    /**
     * Returns what a client needs.
     *
     * @return settings for {@link io.sluice.agent.quota.QuotaStrategyProvider#create}, the same before and after a restart
     */
    Map<String, String> settings();

    /**
     * Returns whether the store knows after {@link #kill} and {@link #restart} what it granted before.
     *
     * @return false when a killed store starts empty
     */
    boolean keepsQuotas();

    /**
     * Ends the store without warning, as SIGKILL does, and waits for the end.
     *
     * @throws Exception when it cannot be ended
     */
    void kill() throws Exception;

    /**
     * Starts the killed store again at the same address, and waits until it answers.
     *
     * @throws Exception when it does not start
     */
    void restart() throws Exception;

    /**
     * Stops all of the store's processes (SIGSTOP): connections stay open, nothing is answered.
     *
     * @throws Exception when the signal cannot be sent
     */
    void freeze() throws Exception;

    /**
     * Continues the store's processes (SIGCONT); without effect when they are not stopped.
     *
     * @throws Exception when the signal cannot be sent
     */
    void thaw() throws Exception;

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
    void close() throws IOException;
}
