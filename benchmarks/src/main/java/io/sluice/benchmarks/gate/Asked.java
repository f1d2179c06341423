package io.sluice.benchmarks.gate;

/** A limiter that knows callers only. Thread-safe. */
interface Asked {
    /** Takes a permit of the caller's, without waiting; false when there is none. */
    boolean mayPass(String caller);
}
