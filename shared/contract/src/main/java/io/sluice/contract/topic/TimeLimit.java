package io.sluice.contract.topic;

import java.time.Duration;

/**
 * Time limits for answers to a command or to a request that changes something, and for a clean stop. The system property {@code sluice.patience}, a
 * whole number from 1, multiplies them: for slow connections, and for machines on which a broker may stand still for longer than an operator would
 * wait.
 */
public final class TimeLimit {
    private static final int FACTOR = Math.max(1, Integer.getInteger("sluice.patience", 1));

    private TimeLimit() {}

    /** Returns the limit of this process. */
    public static Duration of(Duration usual) {
        return usual.multipliedBy(FACTOR);
    }
}
