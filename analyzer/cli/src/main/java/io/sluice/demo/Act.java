package io.sluice.demo;

import io.sluice.demo.traffic.Caller;

/** The act of the story that is played, in a sentence for readers of the dashboard. */
final class Act {
    private Act() {}

    /**
     * Returns the sentence.
     *
     * @param elapsedMillis since the traffic began
     * @param backedOff when the noisy caller backed off, {@link Long#MAX_VALUE} when it has not
     * @param lockedOut whether all gateways reject it, or did
     */
    static String of(long elapsedMillis, Script script, long backedOff, boolean lockedOut) {
        if (elapsedMillis < script.noise()) {
            return Caller.neighbours().size() + " callers use two gateways in peace. " + Caller.NOISY + " gets loud "
                    + (script.noise() - elapsedMillis + 999) / 1000 + " s from now.";
        }
        if (elapsedMillis >= backedOff) {
            return Caller.NOISY + " has backed off: its gate opens once its window has passed.";
        }
        return lockedOut
                ? Caller.NOISY + " goes on, and both gateways reject it. The others are answered as before."
                : Caller.NOISY + " sends far more than all others together, and delays their answers.";
    }
}
