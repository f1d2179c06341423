package io.sluice.agent.verdict;

/** A permit that an admitted request holds while it is in flight. Implemented by the agent only. Thread-safe. */
public interface Permit {

    /**
     * Returns the permit. Only the first call has an effect.
     *
     * @param completion how the request ended
     */
    void close(Completion completion);
}
