package io.sluice.analyzer.replay;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Subjects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One policy set played over events as they come, with an eye on what its locks would have done. */
final class Trial implements AutoCloseable {
    private final PolicySet set;
    private final List<Policy> locking;
    private final ReplayEngine engine;
    private final LockJournal journal;
    private final Map<String, Onsets> onsets = new HashMap<>();
    private final Allowance allowance;
    private final @Nullable ExactMethod exact;
    private final @Nullable Timeline timeline;
    private final List<Opened> opened = new ArrayList<>();

    /** State recorded when a lock opened, and counts while it is on. */
    private record Opened(WouldReject toll, @Nullable Long onset) {}

    /**
     * @param timed whether the time that a subject called before its lock is measured
     * @param exact whether the exact method is to judge the locks
     */
    Trial(PolicySet set, boolean timed, boolean exact) {
        this(set, timed, exact, Allowance.ofHeap(), null);
    }

    /** @param timeline of the requests that the locks would have rejected, or {@code null} */
    Trial(PolicySet set, boolean timed, boolean exact, Allowance allowance, @Nullable Timeline timeline) {
        this.set = set;
        this.allowance = allowance;
        this.timeline = timeline;
        locking = set.policies().stream().filter(Policy::locks).toList();
        engine = new ReplayEngine(set, allowance);
        journal = engine.journal();
        this.exact = exact ? new ExactMethod(set, journal) : null;
        if (timed) {
            locking.forEach(policy -> onsets.put(policy.name(), new Onsets(policy)));
        }
    }

    /** @param event not older than the one before it */
    void add(RequestEvent event) {
        onsets.values().forEach(each -> each.add(event));
        engine.add(event);
        List<ReplayLock> changed = journal.changed();
        if (exact != null) {
            exact.add(event, changed);
        }
        int known = opened.size();
        allowance.locks(journal.count());
        note();
        charge(event, known);
    }

    private void note() {
        while (opened.size() < journal.count()) {
            ReplayLock lock = journal.lock(opened.size());
            Onsets its = onsets.get(lock.policy());
            opened.add(new Opened(
                    new WouldReject(),
                    its == null
                            ? null
                            : Long.valueOf(
                                    its.of(lock.subject(), lock.evidence().decided()))));
        }
    }

    /**
     * Counts the event for the locks that were on when it came.
     *
     * @param known how many locks there were before it; what it has opened itself let it pass
     */
    private void charge(RequestEvent event, int known) {
        double most = 0;
        for (Policy policy : locking) {
            List<String> subject = journal.holds(policy.name()) ? Subjects.of(policy.per(), event) : null;
            LockJournal.Held held = subject == null ? null : journal.held(policy.name(), subject);
            if (subject != null && held != null && wasOn(held, event, known) && closes(policy, subject, event)) {
                boolean over = exact == null || exact.over(policy.name(), subject);
                double rejected = opened.get(held.position())
                        .toll()
                        .add(held.latest(), event, policy.match().matches(event), over);
                most = Math.max(most, rejected);
            }
        }
        if (timeline != null && most > 0) {
            // one request is rejected once, whatever number of locks would have done it
            timeline.reject(event.time(), most);
        }
    }

    private static boolean wasOn(LockJournal.Held held, RequestEvent event, int known) {
        return event.time() < held.latest().until()
                && (held.position() < known || held.latest().since() < event.time());
    }

    private boolean closes(Policy policy, List<String> subject, RequestEvent event) {
        LockRule rule = policy.lockFor(subject);
        return rule != null && rule.closes().matches(event) && !set.allows(event, event.time());
    }

    Tried result() {
        List<Verdict> verdicts = exact == null ? List.of() : exact.verdicts();
        Map<List<Object>, Long> ends = new HashMap<>();
        List<TriedLock> locks = new ArrayList<>();
        for (int i = 0; i < opened.size(); i++) {
            ReplayLock lock = journal.lock(i);
            Long free = ends.put(List.of(lock.policy(), lock.subject()), lock.until());
            locks.add(new TriedLock(
                    lock,
                    opened.get(i).toll(),
                    opened.get(i).onset(),
                    free == null ? Long.MIN_VALUE : free,
                    exact == null ? null : verdicts.get(i)));
        }
        return new Tried(set, locks, exact != null, exact == null ? List.of() : exact.missed());
    }

    @Override
    public void close() {
        engine.close();
    }
}
