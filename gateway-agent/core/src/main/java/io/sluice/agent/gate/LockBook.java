package io.sluice.agent.gate;

import io.sluice.agent.lease.Lease;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was decided and still holds, by policy and subject. It stands on the gates of the policies in force and
 * nowhere else; what is for policies that are not known yet waits here. Thread-safe by its monitor; no request ever takes it.
 */
final class LockBook {
    private final Map<List<String>, Word> waiting = new HashMap<>();
    // never forgotten: a check may still be on its way to one, and policies are named by people, not by clients
    private final Map<String, GatePolicy.Counts> counts = new HashMap<>();
    private final GateCount gates;
    private volatile Rules rules = Rules.NONE;
    private Map<String, GatePolicy> byName = Map.of();

    /** What was decided about one subject. */
    private record Word(
            @Nullable Standing analyzer, @Nullable Standing operator) {
        static final Word NONE = new Word(null, null);

        static Word of(@Nullable Kept kept) {
            return kept == null ? NONE : new Word(standing(kept.analyzer()), standing(kept.operator()));
        }

        private static @Nullable Standing standing(@Nullable HeldLock lock) {
            return lock == null ? null : lock.standing();
        }

        Word at(long now) {
            return new Word(at(analyzer, now), at(operator, now));
        }

        private static @Nullable Standing at(@Nullable Standing standing, long now) {
            return standing == null || standing.lease().over(now) ? null : standing;
        }

        boolean closes() {
            return closes(analyzer) || closes(operator);
        }

        private static boolean closes(@Nullable Standing standing) {
            return standing != null && standing.mode() != Mode.OPEN;
        }
    }

    LockBook(GateCount gates) {
        this.gates = gates;
    }

    /** The policies in force. */
    Rules rules() {
        return rules;
    }

    /**
     * Takes an analyzer's lock or release, unless a newer one of the same task stands already.
     *
     * @param now monotonic nanoseconds
     * @return whether it is a lock where none was
     */
    synchronized boolean gateLock(GateLock lock, Lease lease, long now) {
        List<String> key = GateKeys.key(lock.policy(), lock.subject());
        Word known = word(key);
        Standing before = known.analyzer;
        if (before == null || before.version() == null || !before.version().after(lock.version())) {
            put(key, new Word(Standing.of(lock, lease).notBeyond(before), known.operator));
            boolean open = before == null
                    || before.mode() == Mode.OPEN
                    || before.lease().over(now);
            return open && lock.mode() != Mode.OPEN;
        }
        return false;
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

    /** The keys under which an operator's word stands. */
    synchronized Set<List<String>> operatorKeys() {
        Set<List<String>> keys = new HashSet<>();
        waiting.forEach((key, word) -> {
            if (word.operator != null) {
                keys.add(key);
            }
        });
        byName.forEach((name, policy) -> policy.table().locks().forEach((subject, kept) -> {
            if (kept.operator() != null) {
                keys.add(GateKeys.key(name, subject));
            }
        }));
        return keys;
    }

    private void operator(List<String> key, @Nullable Standing standing) {
        Word known = word(key);
        put(key, new Word(known.analyzer, standing == null ? null : standing.notBeyond(known.operator)));
    }

    /** The policy whose gates have room for this key. */
    private @Nullable GatePolicy policyOf(List<String> key) {
        GatePolicy policy = byName.get(key.get(0));
        return policy != null && policy.policy().per().size() == key.size() - 1 ? policy : null;
    }

    private static List<String> subject(List<String> key) {
        return key.subList(1, key.size());
    }

    private Word word(List<String> key) {
        GatePolicy policy = policyOf(key);
        return policy == null
                ? waiting.getOrDefault(key, Word.NONE)
                : Word.of(policy.table().kept(SubjectKey.of(subject(key))));
    }

    private void put(List<String> key, Word word) {
        GatePolicy policy = policyOf(key);
        if (policy != null) {
            List<String> subject = subject(key);
            SubjectKey found = SubjectKey.of(subject);
            HeldLock analyzer = word.analyzer == null ? null : policy.held(found, word.analyzer, subject, true);
            HeldLock operator = word.operator == null ? null : policy.held(found, word.operator, subject, false);
            policy.table().locks().hold(found, analyzer, operator);
        } else if (word.equals(Word.NONE)) {
            waiting.remove(key);
        } else {
            waiting.put(key, word);
        }
    }

    /**
     * Puts a policy set in force. Gates stay where a policy still counts by the same attributes; a policy that is as it was costs
     * nothing, however many locks it has.
     */
    synchronized void policies(PolicySet set) {
        Map<String, GatePolicy> next = new LinkedHashMap<>();
        for (Policy policy : set.policies()) {
            GatePolicy before = byName.get(policy.name());
            if (before != null && before.policy().equals(policy)) {
                next.put(policy.name(), before);
                continue;
            }
            GateTable table = before != null && before.table().isPer(policy.per())
                    ? before.table()
                    : new GateTable(policy.per(), gates);
            GatePolicy.Counts counted = counts.computeIfAbsent(policy.name(), it -> new GatePolicy.Counts());
            next.put(policy.name(), new GatePolicy(policy, table, counted, before));
        }
        Map<String, GatePolicy> last = byName;
        Map<List<String>, Word> waited = new HashMap<>(waiting);
        waiting.clear();
        byName = next;
        waited.forEach(this::put);
        last.forEach((name, policy) -> {
            if (next.get(name) != policy) {
                policy.table().locks().forEach((subject, kept) -> put(GateKeys.key(name, subject), Word.of(kept)));
            }
        });
        rules = new Rules(set, List.copyOf(next.values()));
        last.forEach((name, before) -> {
            GatePolicy after = next.get(name);
            if (after == null || after.table() != before.table()) {
                before.table().drop();
            }
        });
    }

    /** The counts of every policy since the start by its name, removed policies included. A copy. */
    synchronized Map<String, GatePolicy.Counts> counts() {
        return new TreeMap<>(counts);
    }

    /** Lets go of what is over. */
    synchronized void expire(long now) {
        for (GatePolicy policy : byName.values()) {
            policy.table().locks().expire(now);
        }
        waiting.replaceAll((key, word) -> word.at(now));
        waiting.values().removeIf(Word.NONE::equals);
    }

    /** How many locks hold, releases not counted. */
    synchronized int locks(long now) {
        int locks = 0;
        for (GatePolicy policy : byName.values()) {
            locks += policy.table().locks().closed(now);
        }
        for (Word word : waiting.values()) {
            locks += word.at(now).closes() ? 1 : 0;
        }
        return locks;
    }

    /** Forgets idle gates. */
    void sweep(long now) {
        for (GatePolicy policy : rules.policies()) {
            policy.table().sweep(now, this);
        }
    }
}
