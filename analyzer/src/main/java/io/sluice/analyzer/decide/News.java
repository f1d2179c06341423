package io.sluice.analyzer.decide;

/** What happens to a lock that people want to hear of; that it goes on is none. */
public enum News {
    /** It is new, and as its policy wants it. */
    OPENED,
    /** It was only a report of the guard's, and closes its gate from now on. */
    ARMED,
    /** The guard keeps it from closing its gate. */
    GUARDED,
    /** It ended before its time. */
    RELEASED
}
