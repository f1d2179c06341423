package io.sluice.agent;

/**
 * What is left of a limit, in the words of the RateLimit header fields.
 *
 * @param policy the limit's policy
 * @param limit most permits at once
 * @param windowSeconds how long an unused limit takes to be whole again, at least 1
 * @param remaining permits left
 * @param resetSeconds on an allowed request the time until the limit is whole again, on a rejected one until the next
 *     permit, rounded up
 */
public record Quota(String policy, long limit, long windowSeconds, long remaining, long resetSeconds) {}
