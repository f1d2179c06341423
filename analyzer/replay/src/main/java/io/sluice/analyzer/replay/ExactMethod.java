package io.sluice.analyzer.replay;

import io.sluice.analyzer.exact.ExactOracle;
import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.analyzer.exact.ExactOracle.Reading;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The exact method beside the engine: both see the same events, and its word on each lock is noted. */
final class ExactMethod {
    private final ExactOracle oracle;
    private final LockJournal journal;
    private final Map<String, Long> panes = new HashMap<>();
    private final List<@Nullable Reading> readings = new ArrayList<>();

    private record Gate(String policy, List<String> subject) {}

    ExactMethod(PolicySet set, LockJournal journal) {
        oracle = new ExactOracle(set);
        this.journal = journal;
        for (Policy policy : set.policies()) {
            panes.put(policy.name(), policy.window().paneMillis());
        }
    }

    /**
     * Counts an event that the engine has counted already.
     *
     * @param changed the locks that have opened, ended or got another end by it and since the one before it
     */
    void add(RequestEvent event, List<ReplayLock> changed) {
        // what opened between the events was decided without this one
        changed.forEach(this::tell);
        readUpTo(event.time() - 1);
        oracle.add(event);
        changed.forEach(this::tell);
        readUpTo(event.time());
    }

    /** A baseline rests while its subject is locked; a subject that is not known yet is passed on once more. */
    private void tell(ReplayLock lock) {
        oracle.locked(lock.policy(), lock.subject(), lock.evidence().decided(), lock.until());
    }

    private void readUpTo(long time) {
        while (readings.size() < journal.count()) {
            ReplayLock lock = journal.lock(readings.size());
            if (lock.evidence().decided() > time) {
                return;
            }
            readings.add(oracle.reading(lock.policy(), lock.subject()).orElse(null));
        }
    }

    /** Returns whether the subject is over at the newest event. */
    boolean over(String policy, List<String> subject) {
        return oracle.reading(policy, subject).map(Reading::over).orElse(false);
    }

    /** In the order of the locks. */
    List<Verdict> verdicts() {
        Map<Gate, List<Over>> overs = overs();
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < readings.size(); i++) {
            ReplayLock lock = journal.lock(i);
            Over newest = null;
            for (Over over : overs.getOrDefault(new Gate(lock.policy(), lock.subject()), List.of())) {
                if (over.from() <= lock.at()) {
                    newest = over;
                }
            }
            verdicts.add(new Verdict(newest, readings.get(i), lock.at(), panes.getOrDefault(lock.policy(), 0L)));
        }
        return verdicts;
    }

    /** Returns the subjects that were over and never locked. */
    List<Tried.Missed> missed() {
        Set<Gate> locked = new HashSet<>();
        for (ReplayLock lock : journal.locks()) {
            locked.add(new Gate(lock.policy(), lock.subject()));
        }
        List<Tried.Missed> missed = new ArrayList<>();
        overs().forEach((gate, spans) -> {
            if (!locked.contains(gate)) {
                missed.add(new Tried.Missed(longest(spans), spans.size()));
            }
        });
        return missed;
    }

    private Map<Gate, List<Over>> overs() {
        Map<Gate, List<Over>> overs = new LinkedHashMap<>();
        for (Over over : oracle.overs()) {
            overs.computeIfAbsent(new Gate(over.policy(), over.subject()), gate -> new ArrayList<>())
                    .add(over);
        }
        return overs;
    }

    private static Over longest(List<Over> spans) {
        Over longest = spans.get(0);
        for (Over over : spans) {
            if (over.lastSeen() - over.from() > longest.lastSeen() - longest.from()) {
                longest = over;
            }
        }
        return longest;
    }
}
