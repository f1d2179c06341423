package io.sluice.analyzer.decide;

import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.LockTransition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what a lock that opens and closes all the time may append to the decision log: {@value #BURST} transitions of a
 * subject at once, and one a minute on average. The end of a lock
 * that was recorded as open is always recorded, at most one for each recorded opening. What is left out is counted in the next transition that is recorded. It
 * remembers the {@value #REMEMBERED} subjects that moved last, some 200 bytes each. One thread.
 */
public final class TransitionBudget {
    static final int BURST = 20;
    static final long MILLIS_EACH = 60_000;
    static final int REMEMBERED = 10_000;

    private final Map<List<String>, Spent> spent = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param paidAt broker time at which all that was recorded is paid for, at one a minute
     * @param open whether the transition recorded last left the lock open
     */
    private record Spent(long paidAt, long suppressed, boolean open) {}

    /**
     * The transition to record, with how many were left out before.
     *
     * @return the transition, or {@code null} when it is to be left out
     */
    public @Nullable LockTransition admitted(LockTransition transition) {
        List<String> key = DecisionJson.key(transition);
        Spent before = spent.getOrDefault(key, new Spent(Long.MIN_VALUE, 0, false));
        long paidAt = Math.max(before.paidAt, transition.at()) + MILLIS_EACH;
        boolean end = transition.event() == LockTransition.Event.RELEASED
                || transition.event() == LockTransition.Event.EXPIRED;
        boolean endsRecorded = end && before.open;
        if (!endsRecorded && paidAt - transition.at() > BURST * MILLIS_EACH) {
            spent.put(key, new Spent(before.paidAt, before.suppressed + 1, before.open));
            return null;
        }
        spent.put(key, new Spent(paidAt, 0, !end));
        if (spent.size() > REMEMBERED) {
            spent.remove(spent.keySet().iterator().next());
        }
        return transition.after(before.suppressed);
    }
}
