package io.sluice.analyzer.exact;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The subjects that were over and when, by the exact method: all events with time in (t − W, t] are kept and counted. It knows no panes, no
 * partial sums, no sketches and no locks; it is obvious, and slow. It takes a log as it is, as if no subject had ever been
 * locked for it. Thresholds and sums are in the policy file's unit of the measure.
 *
 * <p>Times are epoch milliseconds. One thread.
 */
public final class ExactOracle {
    private final PolicySet set;
    private final Map<String, ExactPolicy> policies = new LinkedHashMap<>();
    private final List<Over> overs = new ArrayList<>();
    private long now = Long.MIN_VALUE;

    /**
     * The state of a subject by the exact method. Where several conditions may hold, it is the first one that does; if none
     * does, the one that is nearest to holding.
     *
     * @param detector {@code above}, {@code share}, {@code spike} or {@code debt}; of {@code all} the part that is nearest to
     *     not holding
     * @param observed the sum, the share, the multiple of the baseline or the level of the debt; 0 where unknown
     * @param threshold what {@code observed} is compared with
     * @param sum the subject's admitted sum in the window
     * @param load its group's, where a share is asked for, else 0
     */
    public record Reading(String detector, double observed, double threshold, double sum, double load, boolean over) {
        double ratio() {
            return observed == 0 ? 0 : observed / threshold;
        }
    }

    /**
     * A span of time during which a subject was over, as it was seen at its own events.
     *
     * @param detector what put it over
     * @param from time of the event that put it over
     * @param lastSeen time of its last event at which it was over
     * @param observed what was observed at {@code from}
     */
    public record Over(
            String policy,
            List<String> subject,
            String detector,
            long from,
            long lastSeen,
            double observed,
            double threshold) {
        Over seen(long time) {
            return new Over(policy, subject, detector, from, time, observed, threshold);
        }
    }

    /** @param set its policies without a lock are left out: no subject can be over by them */
    public ExactOracle(PolicySet set) {
        this.set = set;
        set.policies().stream()
                .filter(policy -> policy.locks())
                .forEach(policy -> policies.put(policy.name(), new ExactPolicy(policy, set.allow())));
    }

    /**
     * Counts an event, and asks the subjects it counts against.
     *
     * @throws IllegalArgumentException when it is older than the one before it
     * @throws ArithmeticException when the events of one window add up to 2^63 or more
     */
    public void add(RequestEvent event) {
        if (event.time() < now) {
            throw new IllegalArgumentException("an event of " + event.time() + " after one of " + now);
        }
        now = event.time();
        boolean allowed = set.allows(event, now);
        for (ExactPolicy policy : policies.values()) {
            List<String> name = policy.subjectOf(event);
            if (name != null) {
                policy.add(name, event, allowed).ifPresent(subject -> ask(policy, name, subject));
            }
        }
    }

    private void ask(ExactPolicy policy, List<String> name, ExactSubject subject) {
        Reading reading = subject.read(now);
        if (!reading.over()) {
            subject.close();
        } else if (subject.isOpen()) {
            overs.set(subject.open(), overs.get(subject.open()).seen(now));
        } else {
            subject.open(overs.size());
            overs.add(new Over(
                    policy.name(), name, reading.detector(), now, now, reading.observed(), reading.threshold()));
        }
    }

    /**
     * Records that a subject was locked from one time until before another; until then its baseline for {@code spike} rests.
     * A later call with the same beginning replaces the earlier one.
     */
    public void locked(String policy, List<String> subject, long from, long until) {
        known(policy).flatMap(it -> it.known(subject)).ifPresent(it -> it.locked(from, until));
    }

    /**
     * Returns the state of a subject at the time of the newest event added, of any subject.
     *
     * @return empty when no event was counted against it, or the policy locks no such subject
     */
    public Optional<Reading> reading(String policy, List<String> subject) {
        return known(policy).flatMap(it -> it.reading(subject, now));
    }

    private Optional<ExactPolicy> known(String policy) {
        return Optional.ofNullable(policies.get(policy));
    }

    /** Every span of time during which a subject was over, in the order in which they began; the last of a subject may go on. */
    public List<Over> overs() {
        return Collections.unmodifiableList(overs);
    }
}
