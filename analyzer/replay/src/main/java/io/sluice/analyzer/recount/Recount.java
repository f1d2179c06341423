package io.sluice.analyzer.recount;

import io.sluice.analyzer.exact.ExactOracle;
import io.sluice.contract.event.Field;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicyFields;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Subjects;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Checks whether a lock's evidence holds: takes the requests that the lock was opened for, in any order, and asks the exact method.
 * Requests must come at the time that the meters counted them at. One thread.
 *
 * <p>The evidence's sum is never above the exact one, but after an unclean end of an analyzer, which can count twice. So it
 * holds when the subject is over by the exact method, whatever was counted.
 */
public final class Recount {
    /** So many requests are kept and sorted: some hundred megabytes. */
    public static final int MOST_EVENTS = 1_000_000;

    private final PolicySet set;
    private final Policy policy;
    private final List<String> subject;
    private final Evidence evidence;
    private final Question question;
    private final List<Attribute> group;
    private final List<RequestEvent> events = new ArrayList<>();
    private long allowed;
    private String gap = "";

    private Recount(PolicySet set, Policy policy, List<String> subject, Evidence evidence, Question question) {
        this.set = set;
        this.policy = policy;
        this.subject = subject;
        this.evidence = evidence;
        this.question = question;
        group = question.group(policy.per());
    }

    /**
     * Prepares to count again.
     *
     * @param set the policies in force; {@code policy} is one of them
     * @throws NotRecountable when the policy counts something else by now, or too little is known
     */
    public static Recount of(PolicySet set, Policy policy, List<String> subject, Evidence evidence)
            throws NotRecountable {
        if (!evidence.revision().equals(policy.revision())) {
            throw new NotRecountable("the policy has changed since (then " + evidence.revision() + ", now "
                    + policy.revision() + "): can't be recounted with today's");
        }
        LockRule rule = policy.lockFor(subject);
        if (rule == null) {
            throw new NotRecountable("the policy no longer locks this subject: can't be recounted");
        }
        Question question = Question.of(policy, rule, evidence);
        PolicySet asking = new PolicySet(
                set.enforce(), set.allow(), set.guard(), List.of(question.asking(policy, rule)), set.revision());
        return new Recount(asking, policy, subject, evidence, question);
    }

    /** Requests up to this event time are left out, epoch milliseconds. */
    public long from() {
        return evidence.crossed() - question.backMillis();
    }

    /** Requests after this event time are left out, epoch milliseconds. */
    public long to() {
        return evidence.crossed();
    }

    /** Attributes of a request that are read. */
    public Set<Field> fields() {
        return PolicyFields.of(set);
    }

    /**
     * Takes a request of the log.
     *
     * @throws NotRecountable when those that matter are more than {@link #MOST_EVENTS}
     */
    public void add(RequestEvent event) throws NotRecountable {
        if (event.time() <= from() || event.time() > to() || !matters(event)) {
            return;
        }
        if (events.size() == MOST_EVENTS) {
            throw new NotRecountable("more than " + MOST_EVENTS + " requests in that time matter: too many to sort");
        }
        events.add(event);
    }

    private boolean matters(RequestEvent event) {
        List<String> of = policy.match().matches(event) ? Subjects.of(policy.per(), event) : null;
        if (of == null || !inGroup(of)) {
            return false;
        }
        if (of.equals(subject) && !event.rejected() && set.allows(event, event.time())) {
            allowed += event.count();
        }
        return true;
    }

    private boolean inGroup(List<String> other) {
        return group.stream()
                .mapToInt(policy.per()::indexOf)
                .allMatch(place -> Objects.equals(other.get(place), subject.get(place)));
    }

    /**
     * Records that some of the log may be gone. A sum that is over without it was over with it; a share is unknown then.
     *
     * @param reason why the recount is impossible, for people; empty when nothing is gone
     */
    public void incomplete(String reason) {
        gap = reason;
    }

    /**
     * Asks the exact method.
     *
     * @throws NotRecountable when what is gone of the log, or today's {@code allow}, leaves it open
     */
    public Verdict verdict() throws NotRecountable {
        Verdict verdict = asked();
        boolean onlyGrows = !question.ofShares();
        if (!gap.isEmpty() && !(onlyGrows && verdict.holds())) {
            throw new NotRecountable(gap);
        }
        return verdict;
    }

    private Verdict asked() throws NotRecountable {
        if (events.isEmpty()) {
            return new Verdict(false, 0, 0, 0, evidence.sum(), gap.isEmpty(), question.believed(), from());
        }
        events.sort(Comparator.comparingLong(RequestEvent::time));
        ExactOracle oracle = new ExactOracle(set);
        // a group is known from its first request on, but here from where the log was read
        oracle.add(silent(from()));
        events.forEach(oracle::add);
        oracle.add(silent(to()));
        Optional<ExactOracle.Reading> reading = oracle.reading(policy.name(), subject);
        boolean over = reading.map(ExactOracle.Reading::over).orElse(false)
                || (question.ofPanes() && oracle.overs().stream().anyMatch(this::withinAPane));
        if (!over && allowed > 0) {
            throw new NotRecountable("today's allow list lets " + allowed
                    + " of its requests pass, and which ones is not recorded: can't be recounted");
        }
        if (!over && question.debt()) {
            throw new NotRecountable("the debt may have begun before "
                    + Instant.ofEpochMilli(from()).truncatedTo(ChronoUnit.SECONDS)
                    + ", as far back as its lock can last: can't be recounted");
        }
        double sum = reading.map(ExactOracle.Reading::sum).orElse(0.0);
        double observed = reading.map(ExactOracle.Reading::observed).orElse(0.0);
        double load = reading.map(ExactOracle.Reading::load).orElse(0.0);
        double excess = evidence.sum() - sum;
        boolean tolerable = question.debt() || !gap.isEmpty() || excess <= Question.tolerance(policy.measure(), sum);
        return new Verdict(
                over,
                observed / question.unit(),
                sum,
                load,
                tolerable ? 0 : excess,
                gap.isEmpty(),
                question.believed(),
                from());
    }

    private boolean withinAPane(ExactOracle.Over over) {
        return over.subject().equals(subject)
                && over.lastSeen() > to() - policy.window().paneMillis();
    }

    /** A request that counts nothing, and makes the exact method look at this time. */
    private RequestEvent silent(long time) {
        RequestEvent like = events.get(0);
        return new RequestEvent(
                Math.max(0, time),
                like.caller(),
                like.service(),
                like.route(),
                like.method(),
                like.ip(),
                like.status(),
                0,
                0,
                like.agent(),
                Outcome.LOCKED,
                1,
                like.identity(),
                like.labels());
    }
}
