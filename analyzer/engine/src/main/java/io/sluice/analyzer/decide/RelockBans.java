package io.sluice.analyzer.decide;

import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.operator.OperatorRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The subjects that must not be locked because an operator released them. */
final class RelockBans {
    private final Map<LeaseKey, Release> releases = new HashMap<>();

    /** @param per the attributes of the subject; {@code null} where the operator's record has none */
    private record Release(long end, @Nullable List<String> per) {}

    /** Adds an operator's release; an operator's lock removes an earlier release. */
    void accept(OperatorRecord said, long appended) {
        if (said instanceof OperatorRecord.Release release) {
            long end = LockValidity.operatorEnd(release.ttlMillis(), appended);
            releases.put(new LeaseKey(release.policy(), release.subject()), new Release(end, release.per()));
        } else if (said instanceof OperatorRecord.Lock lock) {
            forget(lock.policy(), lock.subject());
        }
    }

    void forget(String policy, List<String> subject) {
        releases.remove(new LeaseKey(policy, subject));
    }

    /** @param per the attributes of the subject; {@code null} where they are unknown */
    boolean contains(LeaseKey gate, @Nullable List<String> per, long now) {
        Release release = releases.get(gate);
        return release != null
                && LockValidity.holds(release.end, now)
                && (per == null || LockValidity.fits(release.per, per));
    }

    void sweep(long now) {
        releases.values().removeIf(release -> !LockValidity.holds(release.end, now));
    }
}
