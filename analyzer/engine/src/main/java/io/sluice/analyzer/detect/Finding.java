package io.sluice.analyzer.detect;

import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.UsageKey;

/**
 * A subject is over.
 *
 * @param rule the rule that holds for the subject
 * @param observed the sum or the share that was seen, in the threshold's unit
 * @param sum the subject's admitted sum in the window, in the measure's unit
 * @param load the group's load in the window, in the measure's unit; 0 where none was looked at
 * @param crossed event time of the newest event counted, epoch milliseconds
 */
public record Finding(
        UsageKey key,
        Policy policy,
        LockRule rule,
        Threshold threshold,
        double observed,
        double sum,
        double load,
        long crossed) {}
