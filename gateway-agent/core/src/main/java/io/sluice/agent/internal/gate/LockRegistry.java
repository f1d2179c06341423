package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.lease.LeaseExpiry;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All decisions in force, by policy and subject. Decisions for policies in force are stored in the gates of those policies; decisions for
 * unknown policies wait here. Where requests of one service only are checked, analyzers' locks that cannot close any of them are dropped. Thread-safe by its monitor, which requests never take.
 */
final class LockRegistry {
    private final Map<List<String>, LockDecisionPair> waiting = new HashMap<>();
    // never removed: a check in progress may use them, and operators name policies, not clients
    private final Map<String, GatePolicy.Counts> counts = new HashMap<>();
    private final LongAdder misfits = new LongAdder();
    private final GateCount gates;
    // from 1: a gate that has never been compared has 0
    private final AtomicInteger arrivals = new AtomicInteger(1);
    /** The only service whose requests are checked; {@code null}: any. */
    private final @Nullable String service;
    /** The policies whose locks cannot close any of its requests. */
    private Set<String> foreign = Set.of();

    private volatile CompiledPolicies rules = CompiledPolicies.NONE;
    private Map<String, GatePolicy> byName = Map.of();

    /** @param service the only service whose requests are checked; {@code null}: any */
    LockRegistry(GateCount gates, @Nullable String service) {
        this.gates = gates;
        this.service = service;
    }

    /**
     * Returns a number that changes whenever a subject without a lock gets one, or other policies come into force. A check reads it before
     * the policies and the locks.
     */
    int arrivals() {
        return arrivals.get();
    }

    /** Returns the policies in force. */
    CompiledPolicies rules() {
        return rules;
    }

    /**
     * Applies an analyzer's lock or release, unless a newer record of the same task is in force.
     *
     * @param now monotonic nanoseconds
     * @return whether it is a lock on a subject that was not locked
     */
    synchronized boolean gateLock(GateLock lock, LeaseExpiry lease, long now) {
        if (foreign.contains(lock.policy())) {
            return false;
        }
        List<String> key = GateKeys.key(lock.policy(), lock.subject());
        LockDecisionPair known = word(key);
        LockDecision before = known.analyzer();
        if (before == null || before.version() == null || !before.version().after(lock.version())) {
            LockDecision next = LockDecision.of(lock, lease).cappedBy(before);
            put(key, new LockDecisionPair(next, known.operator()));
            boolean fits = countMisfit(key, next);
            boolean open = before == null
                    || before.mode() == Mode.OPEN
                    || before.lease().expired(now);
            return fits && open && lock.mode() != Mode.OPEN;
        }
        return false;
    }

    synchronized void operatorLock(OperatorRecord.Lock lock, LeaseExpiry lease) {
        operator(GateKeys.key(lock.policy(), lock.subject()), LockDecision.of(lock, lease));
    }

    synchronized void operatorRelease(OperatorRecord.Release release, LeaseExpiry lease) {
        operator(GateKeys.key(release.policy(), release.subject()), LockDecision.of(release, lease));
    }

    /** Removes an operator's record. */
    synchronized void operatorDeleted(List<String> key) {
        operator(key, null);
    }

    /** Returns the keys of all operator records. */
    synchronized Set<List<String>> operatorKeys() {
        Set<List<String>> keys = new HashSet<>();
        waiting.forEach((key, word) -> {
            if (word.operator() != null) {
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

    private void operator(List<String> key, @Nullable LockDecision standing) {
        LockDecisionPair known = word(key);
        LockDecision next = standing == null ? null : standing.cappedBy(known.operator());
        put(key, new LockDecisionPair(known.analyzer(), next));
        countMisfit(key, next);
    }

    /** Returns the policy whose gates have this key. */
    private @Nullable GatePolicy policyOf(List<String> key) {
        GatePolicy policy = byName.get(key.get(0));
        return policy != null && policy.policy().per().size() == key.size() - 1 ? policy : null;
    }

    private static List<String> subject(List<String> key) {
        return key.subList(1, key.size());
    }

    private LockDecisionPair word(List<String> key) {
        GatePolicy policy = policyOf(key);
        LockDecisionPair waits =
                waiting.isEmpty() ? LockDecisionPair.NONE : waiting.getOrDefault(key, LockDecisionPair.NONE);
        return policy == null
                ? waits
                : LockDecisionPair.of(policy.table().kept(SubjectKey.of(subject(key))))
                        .and(waits);
    }

    private void put(List<String> key, LockDecisionPair all) {
        LockDecisionPair word = foreign.contains(key.get(0)) ? new LockDecisionPair(null, all.operator()) : all;
        GatePolicy policy = policyOf(key);
        LockDecisionPair obeyed = policy == null ? LockDecisionPair.NONE : word.fitting(policy);
        if (policy != null) {
            List<String> subject = subject(key);
            SubjectKey found = SubjectKey.of(subject);
            LockEntry analyzer =
                    obeyed.analyzer() == null ? null : policy.held(found, obeyed.analyzer(), subject, true);
            LockEntry operator =
                    obeyed.operator() == null ? null : policy.held(found, obeyed.operator(), subject, false);
            policy.table().locks().hold(found, analyzer, operator);
        }
        LockDecisionPair waits = word.without(obeyed);
        if (!waits.none()) {
            waiting.put(key, waits);
        } else if (!waiting.isEmpty()) {
            waiting.remove(key);
        }
    }

    /**
     * Counts a decision that is not applied because its policy counts by other attributes by now.
     *
     * @return whether it is applied, or waits for its policy
     */
    private boolean countMisfit(List<String> key, @Nullable LockDecision standing) {
        GatePolicy policy = byName.get(key.get(0));
        if (policy != null && standing != null && standing.mode() != Mode.OPEN && !obeys(policy, key, standing)) {
            misfits.increment();
            return false;
        }
        return true;
    }

    private static boolean obeys(GatePolicy policy, List<String> key, LockDecision standing) {
        return policy.policy().per().size() == key.size() - 1 && policy.fits(standing);
    }

    /** Returns how many locks were not applied because their policy counts by other attributes than when they were decided. */
    long misfits() {
        return misfits.sum();
    }

    /**
     * Puts a policy set in force. Gates remain where a policy counts by the same attributes. An unchanged policy costs nothing, however many locks it
     * has.
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
                    : new GateTable(policy.per(), gates, arrivals);
            GatePolicy.Counts counted = counts.computeIfAbsent(policy.name(), it -> new GatePolicy.Counts());
            next.put(policy.name(), new GatePolicy(policy, table, counted, before));
        }
        Map<String, GatePolicy> last = byName;
        Map<List<String>, LockDecisionPair> waited = new HashMap<>(waiting);
        waiting.clear();
        byName = next;
        foreign = service == null
                ? Set.of()
                : next.values().stream()
                        .filter(policy -> policy.excludesService(service))
                        .map(policy -> policy.policy().name())
                        .collect(Collectors.toUnmodifiableSet());
        waited.forEach(this::put);
        last.forEach((name, policy) -> {
            if (next.get(name) != policy) {
                policy.table().locks().forEach((subject, kept) -> {
                    List<String> key = GateKeys.key(name, subject);
                    LockDecisionPair word = LockDecisionPair.of(kept);
                    // the other part may have waited and apply by now
                    put(key, word.and(word(key)));
                    countMisfit(key, word.analyzer());
                    countMisfit(key, word.operator());
                });
            }
        });
        rules = new CompiledPolicies(set, List.copyOf(next.values()));
        // after the rules: a check that sees this number sees them too
        arrivals.incrementAndGet();
        last.forEach((name, before) -> {
            GatePolicy after = next.get(name);
            if (after == null || after.table() != before.table()) {
                before.table().drop();
            }
        });
    }

    /** Returns a copy of the counts of every policy since the start, removed policies included. */
    synchronized Map<String, GatePolicy.Counts> counts() {
        return new TreeMap<>(counts);
    }

    /** Removes expired decisions. */
    synchronized void expire(long now) {
        for (GatePolicy policy : byName.values()) {
            policy.table().locks().expire(now);
        }
        waiting.replaceAll((key, word) -> word.at(now));
        waiting.values().removeIf(LockDecisionPair::none);
    }

    /** Returns the number of locks in force, without releases. */
    synchronized int locks(long now) {
        int locks = 0;
        for (GatePolicy policy : byName.values()) {
            locks += policy.table().locks().closed(now);
        }
        for (Map.Entry<List<String>, LockDecisionPair> waits : waiting.entrySet()) {
            // decisions that their policy does not apply are no locks; those that wait for their policy will be
            boolean unknown = !byName.containsKey(waits.getKey().get(0));
            locks += unknown && waits.getValue().at(now).closes() ? 1 : 0;
        }
        return locks;
    }

    /** Removes idle gates. */
    void sweep(long now) {
        for (GatePolicy policy : rules.policies()) {
            policy.sweep(now, this);
        }
    }
}
