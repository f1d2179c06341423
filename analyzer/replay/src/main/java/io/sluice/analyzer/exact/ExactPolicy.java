package io.sluice.analyzer.exact;

import io.sluice.analyzer.exact.ExactOracle.Reading;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Subjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One policy: the events that count, and the subjects that they count for and against. */
final class ExactPolicy {
    private final Policy policy;
    private final List<PolicySet.Allow> allow;
    private final boolean accusesByName;
    private final ExactGroups groups;
    private final Map<List<String>, Optional<ExactSubject>> subjects = new TreeMap<>(CompositeKey.ORDER);

    ExactPolicy(Policy policy, List<PolicySet.Allow> allow) {
        this.policy = policy;
        this.allow = allow;
        groups = new ExactGroups(policy);
        accusesByName = Stream.concat(policy.per().stream(), policy.match().attributes().stream())
                .anyMatch(it -> it.kind() == Attribute.Kind.CALLER || it.kind() == Attribute.Kind.LABEL);
    }

    String name() {
        return policy.name();
    }

    /** The subject that an event counts for, {@code null} when the policy doesn't count it. */
    @Nullable
    List<String> subjectOf(RequestEvent event) {
        boolean counts = !(policy.measure() instanceof Measure.Distinct) || value(event) != null;
        return counts && policy.match().matches(event) ? Subjects.of(policy.per(), event) : null;
    }

    /**
     * Counts an event of a subject.
     *
     * @param allowed whether the event is on the allow list: it is part of the load, and counts against no subject
     * @return the subject when the event counts against it and it can be locked
     */
    Optional<ExactSubject> add(List<String> name, RequestEvent event, boolean allowed) {
        Counted counted = counted(event);
        groups.add(name, counted);
        // a claimed identity counts against no subject
        if (allowed || (accusesByName && event.identity() == Identity.CLAIMED)) {
            return Optional.empty();
        }
        Optional<ExactSubject> subject = subjects.computeIfAbsent(name, this::subject);
        subject.ifPresent(it -> it.add(counted));
        return subject;
    }

    private Optional<ExactSubject> subject(List<String> name) {
        LockRule rule = policy.lockFor(name);
        if (rule == null) {
            return Optional.empty();
        }
        SlidingLog log = new SlidingLog(policy.window().millis(), Detectors.sum(policy.measure()));
        return Optional.of(new ExactSubject(
                log, it -> Detectors.of(policy, rule, groups, name, it::lockedAt, time -> allowedUntil(name, time))));
    }

    /** Returns the last end up to a time of what may have allowed a subject, {@link Long#MIN_VALUE} for none. */
    private long allowedUntil(List<String> name, long time) {
        return allow.stream()
                .filter(each ->
                        each.until() > 0 && each.until() <= time && each.match().mayMatchSubject(policy.per(), name))
                .mapToLong(PolicySet.Allow::until)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    private Counted counted(RequestEvent event) {
        if (event.rejected()) {
            return new Counted(event.time(), 0, 0, 0, null);
        }
        return new Counted(event.time(), amount(event), event.count(), event.micros(), value(event));
    }

    private long amount(RequestEvent event) {
        if (policy.measure() instanceof Measure.Bytes) {
            return event.bytes();
        }
        if (policy.measure() instanceof Measure.Cost) {
            return event.cost();
        }
        return policy.measure() instanceof Measure.Millis ? event.micros() : event.count();
    }

    private @Nullable String value(RequestEvent event) {
        return policy.measure() instanceof Measure.Distinct distinct
                ? distinct.attribute().countedValueOf(event)
                : null;
    }

    Optional<ExactSubject> known(List<String> name) {
        return subjects.getOrDefault(name, Optional.empty());
    }

    Optional<Reading> reading(List<String> name, long time) {
        return known(name).map(subject -> subject.read(time));
    }
}
