package io.sluice.analyzer.exact;

import org.jspecify.annotations.Nullable;

/**
 * An event as a policy counts it. What was rejected counts nothing, and is there to be asked at.
 *
 * @param time event time, epoch milliseconds
 * @param amount of the policy's measure, in its smallest unit
 * @param requests how many requests it stands for
 * @param micros their service time, in microseconds
 * @param value the value that a policy with {@code distinct} counts, if it does and the event has one
 */
record Counted(
        long time,
        long amount,
        long requests,
        long micros,
        @Nullable String value) {}
