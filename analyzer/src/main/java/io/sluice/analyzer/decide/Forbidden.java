package io.sluice.analyzer.decide;

import io.sluice.contract.operator.OperatorRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The subjects that an operator released and that must not be locked again for a while. */
final class Forbidden {
    private final Map<LeaseKey, Long> until = new HashMap<>();

    /** Takes note of what an operator said; a lock revokes an earlier release. */
    void accept(OperatorRecord said, long appended) {
        if (said instanceof OperatorRecord.Release release) {
            long ttl = release.ttlMillis();
            long end = ttl == 0 || ttl > Long.MAX_VALUE - appended ? Long.MAX_VALUE : appended + ttl;
            until.put(new LeaseKey(release.policy(), release.subject()), end);
        } else if (said instanceof OperatorRecord.Lock lock) {
            forget(lock.policy(), lock.subject());
        }
    }

    void forget(String policy, List<String> subject) {
        until.remove(new LeaseKey(policy, subject));
    }

    boolean contains(LeaseKey gate, long now) {
        Long end = until.get(gate);
        return end != null && now < end;
    }

    void sweep(long now) {
        until.values().removeIf(end -> now >= end);
    }
}
