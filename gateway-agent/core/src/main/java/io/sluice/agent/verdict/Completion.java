package io.sluice.agent.verdict;

/** How the work of an admitted request ended. Adaptive concurrency limits adjust to it. */
public enum Completion {
    /** The request was served. Counts as a sign of overload when it took five seconds or more. */
    SUCCESS,
    /** The request ended with a sign of overload, such as status 503 or 504. Lowers an adaptive limit. */
    OVERLOADED,
    /** The request ended in a way that is unrelated to load. Does not change an adaptive limit. */
    IGNORED
}
