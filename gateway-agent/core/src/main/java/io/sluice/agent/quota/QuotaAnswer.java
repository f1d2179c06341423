package io.sluice.agent.quota;

/**
 * A store's answer to {@link QuotaStrategy#acquire}.
 *
 * @param granted whether all permits were taken; otherwise none were
 * @param charge the index of the charge that decided: the one that was refused, or of those granted the one with the least left
 * @param remaining permits left of that charge's quota, 0 or more
 * @param retryAfterNanos nanoseconds after which the refused permits will be there if no other caller takes them; 0 when granted; {@link #NEVER}
 *     when they exceed what the limit ever has at once
 */
public record QuotaAnswer(boolean granted, int charge, long remaining, long retryAfterNanos) {
    /** {@link #retryAfterNanos} of a request for more permits than the limit ever has. */
    public static final long NEVER = Long.MAX_VALUE;

    /**
     * Returns the answer to granted charges.
     *
     * @param charge the index of the charge with the least left
     * @param remaining its permits left
     * @return an answer without a wait
     */
    public static QuotaAnswer granted(int charge, long remaining) {
        return new QuotaAnswer(true, charge, remaining, 0);
    }

    /**
     * Returns the answer to refused charges.
     *
     * @param charge the index of the refused charge
     * @param remaining permits left of it, fewer than asked for
     * @param retryAfterNanos nanoseconds to wait, at least 1
     * @return an answer without permits
     */
    public static QuotaAnswer refused(int charge, long remaining, long retryAfterNanos) {
        return new QuotaAnswer(false, charge, remaining, retryAfterNanos);
    }
}
