package io.sluice.faults.history;

/**
 * One thing that happened.
 *
 * @param at epoch milliseconds: the broker's append time of what stands on a topic, else {@link HarnessClock}
 * @param who an agent, a process, a policy: see {@link Kind}
 * @param what see {@link Kind}
 */
public record Entry(long at, Kind kind, String who, String what) {

    /** What can happen. */
    public enum Kind {
        /** A request event was stored; what: its JSON. Who: its agent. */
        PRODUCED,
        /** A lock or a release was stored on gate-locks; what: its JSON. Who: the decide task. */
        DECIDED,
        /** A record was put aside; what: its first bytes as hexadecimal digits. Who: the reason. */
        DEAD_LETTER,
        /** An agent begins to turn a caller away for a lock; what: the caller. Who: the agent. */
        APPLIED,
        /** An agent lets that caller pass again. */
        OPENED,
        /** An agent's books, now or at its end; what: {@link Books#toString}. Who: the agent. */
        BOOKS,
        /** What an agent says to each subject of a list; what: the answers. Who: the agent. */
        TABLE,
        /** A fault begins or ends; what: in words. Who: what it befalls. */
        FAULT
    }

    boolean is(Kind other) {
        return kind == other;
    }
}
