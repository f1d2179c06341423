package io.sluice.contract.agent;

import java.util.Locale;

/** How far an agent's lock table can be trusted. */
public enum Freshness {
    /** Not read to the end yet. */
    COLD,
    /** Every analyzer task has sent a heartbeat lately. */
    FRESH,
    /** Some analyzer task has been silent for too long. */
    STALE;

    /** Its name in records, such as {@code fresh}. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
