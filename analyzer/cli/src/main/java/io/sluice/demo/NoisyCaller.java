package io.sluice.demo;

import io.sluice.demo.traffic.Caller;
import io.sluice.demo.traffic.Demand;

/**
 * Demand of the noisy caller over time. It backs off at the script's time, or later, when the gates had closed for a while: on
 * a slow machine they close late, and a caller that gave up before would leave nothing to see. Milliseconds since the traffic
 * began. Thread-safe.
 */
final class NoisyCaller implements Demand {
    /** How long it runs against closed gates. */
    private static final long LOCKED_OUT_MILLIS = 2000;

    private final Script script;
    private volatile long backedOff = Long.MAX_VALUE;
    private volatile boolean lockedOut;

    NoisyCaller(Script script) {
        this.script = script;
    }

    @Override
    public double perSecond(long elapsedMillis) {
        return elapsedMillis >= script.noise() && elapsedMillis < backedOff ? Caller.MUCH : Caller.LITTLE;
    }

    /**
     * Decides whether it backs off.
     *
     * @param lockedOut when the last gate began to reject it, {@link Long#MAX_VALUE} when not all have
     */
    void look(long elapsedMillis, long lockedOut) {
        this.lockedOut = lockedOut <= elapsedMillis;
        boolean seen = lockedOut <= elapsedMillis - LOCKED_OUT_MILLIS;
        if (backedOff == Long.MAX_VALUE && elapsedMillis >= script.quietAgain() && seen) {
            backedOff = elapsedMillis;
        }
    }

    /** When it backed off, {@link Long#MAX_VALUE} when it has not. */
    long backedOff() {
        return backedOff;
    }

    /**
     * When the run ends: later than in the script by as much as it backed off later, so that the gates can still be seen to open.
     * {@link Long#MAX_VALUE} from the closing of the gates until it backs off, which it does; before, twice the script's time.
     */
    long end() {
        if (backedOff != Long.MAX_VALUE) {
            return script.end() + backedOff - script.quietAgain();
        }
        return lockedOut ? Long.MAX_VALUE : 2 * script.end();
    }

    /** The present phase, in words. */
    String act(long elapsedMillis) {
        if (elapsedMillis < script.noise()) {
            return "all is quiet";
        }
        return Caller.NOISY + (elapsedMillis < backedOff ? " is noisy" : " has backed off");
    }
}
