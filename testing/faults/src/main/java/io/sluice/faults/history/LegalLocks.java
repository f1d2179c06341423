package io.sluice.faults.history;

import io.sluice.analyzer.exact.ExactOracle;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Subjects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The oracle: from what stands on the requests topic, when which subject may be locked. It asks the exact method, which keeps
 * every event and knows nothing of panes, partials or leases.
 *
 * <p>A lock may open while its subject is over by what was admitted, and lasts at most its {@code for} beyond the last moment at
 * which demand, offered, was over the renewal's 80 %. One thread.
 */
public final class LegalLocks {
    private static final double RENEWAL = 0.8;

    private final List<Interval> intervals = new ArrayList<>();

    /**
     * A span of time in which a subject may be locked, epoch milliseconds of events.
     *
     * @param earliest the event that put it over: nothing opens before
     * @param lastOver its last event at which it was over by what was admitted: nothing opens on a later one
     * @param latest no lock that opened in between is meant to last longer
     */
    public record Interval(String policy, List<String> subject, long earliest, long lastOver, long latest) {
        public Interval {
            subject = List.copyOf(subject);
        }
    }

    /** @param stored what stands on the requests topic, in any order */
    public LegalLocks(PolicySet set, List<RequestEvent> stored) {
        List<RequestEvent> events = stored.stream()
                .sorted(Comparator.comparingLong(RequestEvent::time))
                .toList();
        ExactOracle admitted = new ExactOracle(set);
        ExactOracle offered = new ExactOracle(set);
        Map<List<String>, List<Long>> demand = new HashMap<>();
        for (RequestEvent event : events) {
            admitted.add(event);
            offered.add(passing(event));
            for (Policy policy : set.policies()) {
                subjectOf(policy, event)
                        .ifPresent(subject -> offered.reading(policy.name(), subject)
                                .filter(reading -> reading.observed() > RENEWAL * reading.threshold())
                                .ifPresent(high -> demand.computeIfAbsent(
                                                key(policy.name(), subject), any -> new ArrayList<>())
                                        .add(event.time())));
            }
        }
        for (ExactOracle.Over over : admitted.overs()) {
            intervals.add(interval(set, over, demand.getOrDefault(key(over.policy(), over.subject()), List.of())));
        }
    }

    private static Optional<List<String>> subjectOf(Policy policy, RequestEvent event) {
        return policy.locks() && policy.match().matches(event)
                ? Optional.ofNullable(Subjects.of(policy.per(), event))
                : Optional.empty();
    }

    private static RequestEvent passing(RequestEvent event) {
        return new RequestEvent(
                event.time(),
                event.caller(),
                event.service(),
                event.route(),
                event.method(),
                event.ip(),
                event.status() == 429 ? 200 : event.status(),
                event.bytes(),
                event.micros(),
                event.agent(),
                Outcome.ALLOWED,
                event.count(),
                event.identity(),
                event.labels());
    }

    private static List<String> key(String policy, List<String> subject) {
        List<String> key = new ArrayList<>(subject);
        key.add(0, policy);
        return key;
    }

    /** Demand counts on as long as it never pauses for longer than a lock would last anyway. */
    private static Interval interval(PolicySet set, ExactOracle.Over over, List<Long> demand) {
        Policy policy = set.policies().stream()
                .filter(it -> it.name().equals(over.policy()))
                .findFirst()
                .orElseThrow();
        LockRule rule = policy.lockFor(over.subject());
        if (rule == null) {
            throw new IllegalStateException("over by a policy that can't lock it: " + over);
        }
        LockRule.Escalate escalate = rule.escalate();
        long lasts = rule.debt()
                ? rule.debtUpToMillis()
                : Math.max(rule.forMillis(), escalate == null ? 0 : escalate.upToMillis());
        long last = over.lastSeen();
        for (long time : demand) {
            if (time > last && time - last <= lasts) {
                last = time;
            }
        }
        return new Interval(over.policy(), over.subject(), over.from(), over.lastSeen(), last + lasts);
    }

    /** All of them, in the order in which they begin. */
    public List<Interval> intervals() {
        return List.copyOf(intervals);
    }

    /** Returns whether a lock that names {@code crossed} as the event it opened on is a right one; {@code slack} in milliseconds. */
    public boolean mayOpen(String policy, List<String> subject, long crossed, long slack) {
        return of(policy, subject).anyMatch(it -> crossed >= it.earliest - slack && crossed <= it.lastOver + slack);
    }

    /** Returns whether a lock may be in force at a time; {@code slack} in milliseconds. */
    public boolean mayHold(String policy, List<String> subject, long time, long slack) {
        return of(policy, subject).anyMatch(it -> time >= it.earliest - slack && time <= it.latest + slack);
    }

    private Stream<Interval> of(String policy, List<String> subject) {
        return intervals.stream().filter(it -> it.policy.equals(policy) && it.subject.equals(subject));
    }
}
