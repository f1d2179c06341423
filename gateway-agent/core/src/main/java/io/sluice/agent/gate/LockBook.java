package io.sluice.agent.gate;

import io.sluice.agent.lease.Lease;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was decided and still holds, by policy and subject, also for policies that are not known yet. It puts
 * the locks on the gates of the policies in force. Thread-safe by its monitor; no request ever takes it.
 */
final class LockBook {
    private final Map<List<String>, Entry> entries = new HashMap<>();
    private final Map<String, GatePolicy.Counts> counts = new HashMap<>();
    private final GateCount gates;
    private volatile Rules rules = Rules.NONE;
    private Map<String, GatePolicy> byName = Map.of();

    private static final class Entry {
        @Nullable
        Standing analyzer;

        @Nullable
        Version version;

        @Nullable
        Standing operator;
    }

    LockBook(GateCount gates) {
        this.gates = gates;
    }

    /** The policies in force. */
    Rules rules() {
        return rules;
    }

    /** Takes an analyzer's lock or release, unless a newer one of the same task stands already. */
    synchronized void gateLock(GateLock lock, Lease lease) {
        List<String> key = GateKeys.key(lock.policy(), lock.subject());
        Entry entry = entries.computeIfAbsent(key, it -> new Entry());
        if (entry.version != null && entry.version.after(lock.version())) {
            return;
        }
        entry.version = lock.version();
        entry.analyzer = Standing.of(lock, lease);
        project(key, entry);
    }

    synchronized void operatorLock(OperatorRecord.Lock lock, Lease lease) {
        operator(GateKeys.key(lock.policy(), lock.subject()), Standing.of(lock, lease));
    }

    synchronized void operatorRelease(OperatorRecord.Release release, Lease lease) {
        operator(GateKeys.key(release.policy(), release.subject()), Standing.of(release, lease));
    }

    /** The operator's record under this key was deleted. */
    synchronized void operatorGone(List<String> key) {
        operator(key, null);
    }

    private void operator(List<String> key, @Nullable Standing standing) {
        Entry entry = standing == null ? entries.get(key) : entries.computeIfAbsent(key, it -> new Entry());
        if (entry != null) {
            entry.operator = standing;
            project(key, entry);
        }
    }

    private void project(List<String> key, Entry entry) {
        GatePolicy policy = byName.get(key.get(0));
        List<String> subject = key.subList(1, key.size());
        if (policy == null || subject.size() != policy.policy().per().size()) {
            return;
        }
        HeldLock analyzer = entry.analyzer == null ? null : policy.held(entry.analyzer, subject, true);
        HeldLock operator = entry.operator == null ? null : policy.held(entry.operator, subject, false);
        policy.table().hold(subject, analyzer, operator);
    }

    /** Puts a policy set in force. Gates stay where a policy still counts by the same attributes. */
    synchronized void policies(PolicySet set) {
        Map<String, GatePolicy> next = new LinkedHashMap<>();
        for (Policy policy : set.policies()) {
            GatePolicy before = byName.get(policy.name());
            GateTable table = before != null && before.table().isPer(policy.per())
                    ? before.table()
                    : new GateTable(policy.per(), gates);
            GatePolicy.Counts counted = counts.computeIfAbsent(policy.name(), it -> new GatePolicy.Counts());
            next.put(policy.name(), new GatePolicy(policy, table, counted));
        }
        Map<String, GatePolicy> last = byName;
        byName = next;
        entries.forEach(this::project);
        rules = new Rules(set, List.copyOf(next.values()));
        last.forEach((name, before) -> {
            GatePolicy after = next.get(name);
            if (after == null || after.table() != before.table()) {
                before.table().drop();
            }
        });
        counts.keySet().retainAll(next.keySet());
    }

    /** Lets go of what is over. */
    synchronized void expire(long now) {
        List<List<String>> gone = new ArrayList<>();
        entries.forEach((key, entry) -> {
            boolean changed = false;
            if (entry.analyzer != null && entry.analyzer.lease().over(now)) {
                entry.analyzer = null;
                entry.version = null;
                changed = true;
            }
            if (entry.operator != null && entry.operator.lease().over(now)) {
                entry.operator = null;
                changed = true;
            }
            if (changed) {
                project(key, entry);
            }
            if (entry.analyzer == null && entry.operator == null) {
                gone.add(key);
            }
        });
        gone.forEach(entries::remove);
    }

    /** How many locks hold, releases not counted. */
    synchronized int locks(long now) {
        int locks = 0;
        for (Entry entry : entries.values()) {
            locks += closes(entry.analyzer, now) || closes(entry.operator, now) ? 1 : 0;
        }
        return locks;
    }

    private static boolean closes(@Nullable Standing standing, long now) {
        return standing != null
                && standing.mode() != Mode.OPEN
                && !standing.lease().over(now);
    }

    /** Forgets idle gates. */
    void sweep(long now) {
        for (GatePolicy policy : rules.policies()) {
            policy.table().sweep(now, this);
        }
    }
}
