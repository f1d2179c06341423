package io.sluice.contract.policy;

import io.sluice.contract.lock.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When to lock a subject's gate, and how.
 *
 * @param when any of these
 * @param mode block, throttle, shed or shadow
 * @param rate requests a second over the fleet for throttle, else 0
 * @param shadow report as if armed, reject nothing
 * @param forMillis how long a lock is meant to last; ignored when {@code debt}
 * @param debt lock until the debt is paid, at most {@code debtUpToMillis}
 * @param release part of the threshold that fired; offered demand below it opens the gate early
 * @param closes which requests a lock closes: by default the request attributes of the policy's match
 */
public record LockRule(
        List<Condition> when,
        Mode mode,
        double rate,
        boolean shadow,
        long forMillis,
        boolean debt,
        long debtUpToMillis,
        double release,
        @Nullable Escalate escalate,
        Match closes,
        OnDegraded onDegraded) {

    /** The smallest absolute number in {@code when}, in the measure's unit. */
    public double smallestThreshold() {
        return when.stream().mapToDouble(Condition::absolute).min().orElse(0);
    }

    /** Returns whether no sum below {@link #smallestThreshold} can change what follows: there is no baseline, debt or service time. */
    public boolean ignoresSmallSums() {
        return !debt && when.stream().allMatch(Condition::ignoresSmallSums);
    }

    /** Longer locks for repeat offenders: {@code forMillis} times {@code factor} a repeat, at most {@code upToMillis}. */
    public record Escalate(double factor, long upToMillis, long forgetMillis) {}
}
