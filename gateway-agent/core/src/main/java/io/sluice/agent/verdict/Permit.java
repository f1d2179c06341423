package io.sluice.agent.verdict;

/** The permits that an admitted request holds while it is in flight, or has reserved. Implemented by the agent only. Thread-safe. */
public interface Permit {

    /**
     * Returns the permit. Only the first call of either method has an effect.
     *
     * @param completion how the request ended
     */
    default void close(Completion completion) {
        close(completion, 0);
    }

    /**
     * Returns the permit of a request that was delayed. Only the first call of either method has an effect.
     *
     * @param completion how the request ended
     * @param delayNanos {@link Verdict#delayNanos}, which is no sign of a slow service
     */
    void close(Completion completion, long delayNanos);

    /**
     * Replaces the permits that were reserved by those that were used. Only the first call has an effect.
     *
     * @param actual the permits used, 0 or more
     */
    void settle(long actual);
}
