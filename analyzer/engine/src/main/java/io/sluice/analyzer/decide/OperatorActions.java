package io.sluice.analyzer.decide;

import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The subjects that operators have released, which must not be locked again, and those that they have locked. */
final class OperatorActions {
    private final Map<LeaseKey, Action> releases = new HashMap<>();
    private final Map<LeaseKey, Action> locks = new HashMap<>();

    /** @param per the attributes of the subject; {@code null} where the operator's record has none */
    private record Action(long end, @Nullable List<String> per) {}

    /** Adds an operator's release or lock, in place of what was there for the subject. */
    void accept(OperatorRecord said, long appended) {
        if (said instanceof OperatorRecord.Release release) {
            forget(release.policy(), release.subject());
            long end = LockValidity.operatorEnd(release.ttlMillis(), appended);
            releases.put(new LeaseKey(release.policy(), release.subject()), new Action(end, release.per()));
        } else if (said instanceof OperatorRecord.Lock lock) {
            forget(lock.policy(), lock.subject());
            if (lock.mode() != Mode.SHADOW) {
                long end = LockValidity.operatorEnd(lock.ttlMillis(), appended);
                locks.put(new LeaseKey(lock.policy(), lock.subject()), new Action(end, lock.per()));
            }
        }
    }

    void forget(String policy, List<String> subject) {
        LeaseKey gate = new LeaseKey(policy, subject);
        releases.remove(gate);
        locks.remove(gate);
    }

    /**
     * Returns whether a subject must not be locked.
     *
     * @param per the attributes of the subject; {@code null} where they are unknown
     */
    boolean released(LeaseKey gate, @Nullable List<String> per, long now) {
        return holds(releases.get(gate), per, now);
    }

    /** Returns whether an operator's lock rejects requests of a subject. */
    boolean locked(LeaseKey gate, long now) {
        return holds(locks.get(gate), null, now);
    }

    private static boolean holds(@Nullable Action action, @Nullable List<String> per, long now) {
        return action != null
                && LockValidity.holds(action.end, now)
                && (per == null || LockValidity.fits(action.per, per));
    }

    void sweep(long now) {
        releases.values().removeIf(action -> !LockValidity.holds(action.end, now));
        locks.values().removeIf(action -> !LockValidity.holds(action.end, now));
    }
}
