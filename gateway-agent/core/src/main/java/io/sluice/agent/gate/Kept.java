package io.sluice.agent.gate;

import org.jspecify.annotations.Nullable;

/**
 * What a table keeps for a subject: a {@link Gate}, or where there is nothing but an analyzer's lock that lock itself, for
 * locks can be a million.
 */
sealed interface Kept permits Gate, HeldLock {
    /** The analyzer's word. */
    @Nullable
    HeldLock analyzer();

    /** An operator's word. */
    @Nullable
    HeldLock operator();

    /** What holds for this subject: an operator's word before the analyzer's. */
    @Nullable
    HeldLock lock(long now, boolean operatorOnly);
}
