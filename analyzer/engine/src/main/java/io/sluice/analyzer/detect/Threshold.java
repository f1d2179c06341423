package io.sluice.analyzer.detect;

import io.sluice.contract.usage.UsageKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The threshold that a subject exceeded, kept with its lock: demand is held against it for as long as the lock lasts.
 *
 * @param detector {@code above}, {@code share}, {@code spike} or {@code debt}
 * @param value as the policy states it: a sum, a share, a factor
 * @param sum the sum that may not be passed; for a share the load that counts at least; in the measure's unit
 * @param group for a share, the group the load is of
 * @param meanCost the subject's mean admitted cost of a request when it fired, in the measure's smallest unit: what a
 *     rejected request is taken to have cost
 * @param also the other thresholds that had to be passed with it
 */
public record Threshold(
        String detector, double value, double sum, @Nullable UsageKey group, double meanCost, List<Threshold> also) {
    public static final String ABOVE = "above";
    public static final String SHARE = "share";
    public static final String SPIKE = "spike";
    public static final String DEBT = "debt";

    public Threshold {
        also = List.copyOf(also);
    }

    static Threshold of(String detector, double value, double sum, double meanCost) {
        return new Threshold(detector, value, sum, null, meanCost, List.of());
    }

    /** Returns what a lock sheds down to: of all that had to be passed the highest {@code above}; itself, where there is none. */
    public Threshold shed() {
        Threshold most = detector.equals(ABOVE) ? this : null;
        for (Threshold other : also) {
            most = other.detector.equals(ABOVE) && (most == null || other.value > most.value) ? other : most;
        }
        return most == null ? this : most.and(List.of());
    }

    Threshold and(List<Threshold> others) {
        return new Threshold(detector, value, sum, group, meanCost, others);
    }
}
