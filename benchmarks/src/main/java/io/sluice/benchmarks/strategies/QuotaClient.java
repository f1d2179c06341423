package io.sluice.benchmarks.strategies;

/** One gateway of a fleet, as far as it counts requests. Thread-safe. */
interface QuotaClient extends AutoCloseable {

    /** Returns whether a caller's next request is granted. A failure of the store is no grant, unless the client decides without it. */
    boolean acquire(String caller);

    /** Returns how many requests the store did not answer. */
    long unanswered();

    @Override
    void close();
}
