package io.sluice.analyzer;

/** Counters of a task. */
public enum Count {
    /** Request events that were read. */
    EVENTS,
    /** Records that could not be read and were put aside. */
    DEAD_LETTERS,
    /** Partial sums that left a meter: how well it combines shows beside {@link #EVENTS}. */
    PARTIALS,
    /** Requests beyond what a source may report in a second, by topic. */
    EXCESS,
    /** Events too old to be metered. */
    LATE,
    /** Findings that opened nothing because their newest event lay too far in the past, or the time is not known yet. */
    SILENCED,
    /** Questions about a share that could not be answered: the load was stale, too young or not there. */
    ABSTAINED,
    /** Partials of a policy revision that is not, or no longer, active. */
    UNKNOWN_REVISION,
    /** Records of an earlier life of a meter task, dropped. */
    OLDER_EPOCH,
    OPENED,
    RENEWED,
    RELEASED,
    EXPIRED,
    /** Locks written again because their lease is shorter than they are, their policy changed, or their ratio or end moved. */
    REWRITTEN,
    /** Locks that the guard turned into shadows. */
    GUARDED,
    /** Locks released since their policy counts by other attributes than when they were opened. */
    OTHER_SUBJECT,
    /** Transitions of locks left out of the decision log: too many of one subject, or a record too long. */
    UNRECORDED,
    /** Objects that were not made because the heap budget was used up, by account: groups, loads, candidates, locks. */
    NO_ROOM,
    /** Partials of callers that more meters reported than the spread of the sources allows. */
    SPREAD_EXCEEDED,
    /** Findings that opened nothing because of an operator's release. */
    FORBIDDEN,
    /**
     * Stored state that could not be read, damaged or an earlier version's: leases, which are not renewed and run out; repeats and epochs;
     * blocks of windows and baselines, which begin anew.
     */
    UNREADABLE
}
