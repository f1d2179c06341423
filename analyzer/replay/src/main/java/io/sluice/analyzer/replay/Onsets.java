package io.sluice.analyzer.replay;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.Subjects;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Since when each subject of a policy has been calling, without a pause of a whole window. */
final class Onsets {
    private static final int MANY = 100_000;

    private final Policy policy;
    private final long windowMillis;
    private final Map<List<String>, Run> runs = new TreeMap<>(CompositeKey.ORDER);
    private int most = MANY;

    private record Run(long from, long last) {}

    Onsets(Policy policy) {
        this.policy = policy;
        windowMillis = policy.window().millis();
    }

    String policy() {
        return policy.name();
    }

    /** @param event not older than the one before it */
    void add(RequestEvent event) {
        List<String> subject = policy.match().matches(event) ? Subjects.of(policy.per(), event) : null;
        if (subject == null) {
            return;
        }
        long time = event.time();
        Run run = runs.get(subject);
        runs.put(subject, new Run(run == null || paused(run, time) ? time : run.from, time));
        if (runs.size() > most) {
            runs.values().removeIf(each -> paused(each, time));
            most = Math.max(MANY, 2 * runs.size());
        }
    }

    private boolean paused(Run run, long time) {
        return run.last <= time - windowMillis;
    }

    /** When what a subject had in its window at this time began: at most a window before it. */
    long of(List<String> subject, long time) {
        Run run = runs.get(subject);
        return Math.max(run == null ? time : run.from, time - windowMillis + 1);
    }
}
