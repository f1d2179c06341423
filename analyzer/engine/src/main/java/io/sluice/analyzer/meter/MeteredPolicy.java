package io.sluice.analyzer.meter;

import io.sluice.analyzer.load.Group;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy as the meter needs it for every event, beside what it has in common with its {@link MeteredGroup}. */
final class MeteredPolicy {
    /** A partial leaves early when it holds more than this part of a threshold, for each partition there is. */
    private static final int PARTS = 16;

    /** A subject is quiet below this part of its threshold, for each partition that can hold its requests. */
    private static final int QUIET_PARTS = 2;

    /** Distinct values of a quiet subject are held one by one. */
    private static final int MOST_VALUES = 64;

    /** Differs between any two that are in use at the same time. */
    final int number;

    final String revision;
    final int subjectSize;
    final List<Group> groups;
    /** For each group, the positions of its values in the subject. */
    final int[][] groupPlaces;
    /** An admitted sum over this is heavy. */
    final long heavy;
    /** A subject without an override is quiet below this sum; 1 or less: never. */
    final long quiet;

    private final Policy policy;
    private final double parts;
    private final boolean overridden;

    MeteredPolicy(int number, Policy policy, int partitions, int callerSpread) {
        this.number = number;
        this.policy = policy;
        revision = policy.revision();
        subjectSize = policy.per().size();
        groups = Group.all(policy);
        groupPlaces = groups.stream().map(Group::places).toArray(int[][]::new);
        double threshold = Math.max(1, policy.smallestThreshold());
        heavy = (long) (threshold * policy.measure().scale() / (PARTS * (double) partitions));
        parts = QUIET_PARTS * (double) (namesCaller(policy) ? callerSpread : partitions);
        overridden = policy.overrides().stream().anyMatch(override -> override.lock() != null);
        quiet = withholds(policy) ? mark(policy.lock()) : 0;
    }

    /** Returns whether a subject belongs to one caller, so that its requests lie where the caller's do. */
    private static boolean namesCaller(Policy policy) {
        return policy.per().stream().anyMatch(attribute -> attribute.kind() == Attribute.Kind.CALLER);
    }

    /** Returns whether its conditions can do without what quiet subjects make. Baselines, debts and service times cannot. */
    private static boolean withholds(Policy policy) {
        return policy.lockRules().stream().allMatch(LockRule::ignoresSmallSums);
    }

    /** Returns whether quiet subjects are held back. */
    boolean withheld() {
        return quiet > 1;
    }

    /** Returns the sum below which a subject is quiet. */
    long mark(String[] subject) {
        return overridden ? mark(policy.lockFor(Arrays.asList(subject).subList(0, subjectSize))) : quiet;
    }

    private long mark(@Nullable LockRule rule) {
        double threshold = rule == null ? Double.POSITIVE_INFINITY : rule.smallestThreshold();
        long mark = (long) (threshold * policy.measure().scale() / parts);
        return policy.measure() instanceof Measure.Distinct ? Math.min(mark, MOST_VALUES) : mark;
    }
}
