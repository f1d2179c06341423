package io.sluice.contract.decision;

/**
 * An operator has asked for another policy set, with author and reason.
 *
 * @param revision of the set that was asked for
 * @param before the revision that was in force; empty for none
 * @param at the author's wall clock, epoch milliseconds, for people only
 */
public record PolicySetChange(String revision, String before, String author, String reason, long at)
        implements DecisionRecord {
    public PolicySetChange {
        if (revision.isEmpty() || at < 0) {
            throw new IllegalArgumentException("a change needs a revision, and a time of 0 or more");
        }
    }
}
