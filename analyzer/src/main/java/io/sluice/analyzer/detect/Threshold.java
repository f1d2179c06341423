package io.sluice.analyzer.detect;

import io.sluice.contract.usage.UsageKey;
import org.jspecify.annotations.Nullable;

/**
 * What a subject was over, kept with its lock: demand is held against it for as long as the lock lasts.
 *
 * @param detector {@code above} or {@code share}
 * @param value the sum or the share that may not be passed
 * @param beyond for a share, the load that counts at least; in the measure's unit
 * @param group for a share, the group the load is of
 * @param meanCost the subject's mean admitted cost of a request when it fired, in the measure's smallest unit: what a
 *     rejected request is taken to have cost
 */
public record Threshold(
        String detector,
        double value,
        double beyond,
        @Nullable UsageKey group,
        double meanCost) {
    public static final String ABOVE = "above";
    public static final String SHARE = "share";
}
