package io.sluice.agent.quota;

import io.sluice.contract.policy.LimitRule.Algorithm;

/**
 * A limit as a central store applies it to each subject. Immutable.
 *
 * @param policy the policy's name; with the subject it identifies a quota
 * @param slot distinguishes the limits of one policy: empty for its own limit, otherwise the override
 * @param algorithm one of the strategy's {@link QuotaStrategy#algorithms}
 * @param permits the permits that return in {@code perMillis}; a whole number for windows; 0 admits nothing
 * @param perMillis milliseconds, 1 to a day
 * @param burst the most permits at once: the bucket's size, or {@code permits} for windows; at least 1
 */
public record QuotaLimit(String policy, String slot, Algorithm algorithm, double permits, long perMillis, long burst) {}
