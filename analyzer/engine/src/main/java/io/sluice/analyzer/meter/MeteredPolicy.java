package io.sluice.analyzer.meter;

import io.sluice.analyzer.load.Group;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Policy;
import java.util.Arrays;
import java.util.List;

/** A policy as the meter needs it for every event, beside what it has in common with its {@link MeteredGroup}. */
final class MeteredPolicy {
    /** A partial leaves early when it holds more than this part of a threshold, for each partition there is. */
    private static final int PARTS = 16;

    final String revision;
    final CountedAmount counted;
    final List<Group> groups;
    /** An admitted sum over this is heavy. */
    final long heavy;
    /** A subject without an override is quiet below this sum; 1 or less: never. */
    final long quiet;
    /** Whether the mark depends on the subject. */
    final boolean overridden;

    private final Policy policy;
    private final int subjectSize;
    /** Meters that can count requests of a subject. */
    private final int meters;

    MeteredPolicy(Policy policy, int partitions, int callerSpread) {
        this.policy = policy;
        revision = policy.revision();
        counted = CountedAmount.of(policy.measure());
        subjectSize = policy.per().size();
        groups = Group.all(policy);
        double threshold = Math.max(1, policy.smallestThreshold());
        heavy = (long) (threshold * policy.measure().scale() / (PARTS * (double) partitions));
        meters = namesCaller(policy) ? callerSpread : partitions;
        overridden = policy.overrides().stream().anyMatch(override -> override.lock() != null);
        quiet = QuietMark.allowed(policy) ? QuietMark.of(policy, policy.lock(), meters) : 0;
    }

    /** Returns whether a subject belongs to one caller, so that its requests lie where the caller's do. */
    private static boolean namesCaller(Policy policy) {
        return policy.per().stream().anyMatch(attribute -> attribute.kind() == Attribute.Kind.CALLER);
    }

    /** Returns whether quiet subjects are held back. */
    boolean withheld() {
        return quiet > 1;
    }

    /** Returns the sum below which a subject is quiet. */
    long mark(String[] subject) {
        return overridden
                ? QuietMark.of(policy, policy.lockFor(Arrays.asList(subject).subList(0, subjectSize)), meters)
                : quiet;
    }
}
