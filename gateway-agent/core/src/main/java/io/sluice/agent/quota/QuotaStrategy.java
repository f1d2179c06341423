package io.sluice.agent.quota;

import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A central store of quotas, for limits with {@code scope: fleet} that name it as their {@code strategy}. The agent bounds the wait for an answer,
 * stops asking while the store fails, and applies its share of the limit by itself meanwhile: a strategy needs neither timeouts of its own nor a
 * fallback. Thread-safe.
 *
 * <p>Time is that of the store, never that of the clients.
 */
public interface QuotaStrategy extends AutoCloseable {

    /**
     * Returns the name that policies use in {@code strategy}.
     *
     * @return lower-case letters, digits and dashes
     */
    String name();

    /**
     * Returns the algorithms that the store can apply. Limits with another algorithm are applied by shares.
     *
     * @return at least one algorithm
     */
    Set<Algorithm> algorithms();

    /**
     * Takes the permits of all charges, or of none. Does not block: a client that blocks uses threads of its own, bounded in number.
     *
     * @param charges one or more, with distinct limits and subjects
     * @return the answer; completed exceptionally when the store cannot be reached or does not answer as expected. Cancellation is of no effect: the
     *     permits may have been taken
     */
    CompletionStage<QuotaAnswer> acquire(List<QuotaCharge> charges);

    /**
     * Corrects earlier charges: each charge with positive permits is charged, also beyond its limit, and with negative permits is returned, as far as
     * the limit was charged before. Does not block.
     *
     * @param corrections one or more; not 0 permits
     * @return completed when the store has applied all of them, exceptionally when it may not have
     */
    CompletionStage<Void> adjust(List<QuotaCharge> corrections);

    /**
     * Returns what has been taken ahead of requests, for metrics.
     *
     * @return {@link PermitsAhead#NONE} by default
     */
    default PermitsAhead ahead() {
        return PermitsAhead.NONE;
    }

    /** Releases connections and threads. Later calls of the other methods fail. */
    @Override
    void close();
}
