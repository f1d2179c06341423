package io.sluice.analyzer.detect;

import org.jspecify.annotations.Nullable;

/**
 * A subject against one condition of its lock rule.
 *
 * @param detector {@link Threshold#ABOVE}, {@link Threshold#SHARE}, {@link Threshold#SPIKE} or {@link Threshold#DEBT}
 * @param allowed as the policy states it: a sum, a share, a factor, a debt
 * @param observed in the unit of {@code allowed}; {@code null} while a baseline or a load is not known
 * @param limit the sum of a window above which the condition holds at present, or the debt, in the measure's unit; {@code null} while it is not known
 * @param baseline of a spike the usual sum of a window, in the measure's unit, else {@code null}
 * @param load of a share the load of the group in the window, in the measure's unit, else {@code null}
 * @param holds whether the condition holds; of a share whether it would if others were slow, where the policy asks that, too
 */
public record Standing(
        String detector,
        double allowed,
        @Nullable Double observed,
        @Nullable Double limit,
        @Nullable Double baseline,
        @Nullable Double load,
        boolean holds) {

    static Standing unknown(String detector, double allowed) {
        return new Standing(detector, allowed, null, null, null, null, false);
    }
}
