package io.sluice.analyzer.decide;

/**
 * How many locks of a policy are held.
 *
 * @param enforced that close gates
 * @param guarded that only report because the guard has no room for them
 * @param shadows that only report, by their policy
 */
public record HeldLocks(int enforced, int guarded, int shadows) {
    /** None. */
    public static final HeldLocks NONE = new HeldLocks(0, 0, 0);

    /** These and others. */
    public HeldLocks and(HeldLocks others) {
        return new HeldLocks(enforced + others.enforced, guarded + others.guarded, shadows + others.shadows);
    }
}
