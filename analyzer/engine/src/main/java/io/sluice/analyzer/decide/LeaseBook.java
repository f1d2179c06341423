package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The leases a task holds: in heap, in its state, and, whenever one is written, on the topic. The task's budget bounds how many are opened. */
final class LeaseBook {
    private static final char RESERVED = '$';
    /** A lease with what it refers to and its entry in the map, without the subject. */
    private static final long LEASE_BYTES = 700;

    private final LeaseStore store;
    private final LockSink sink;
    private final TaskBudget budget;
    private final Supplier<Version> versions;
    private final Map<LeaseKey, Lease> leases = new LinkedHashMap<>();
    private final Map<String, Tally> tallies = new LinkedHashMap<>();
    private int unreleased;
    /** The time of the first release among the leases, unless {@link #firstReleaseGone}. */
    private long firstRelease = Long.MAX_VALUE;

    private boolean firstReleaseGone;

    /** Counts of a policy's leases: enforced, reports because of the guard, and shadows. */
    private static final class Tally {
        int enforced;
        int guarded;
        int shadows;
    }

    LeaseBook(LeaseStore store, LockSink sink, TaskBudget budget, Supplier<Version> versions) {
        this.store = store;
        this.budget = budget;
        this.sink = sink;
        this.versions = versions;
    }

    /**
     * Restores the leases of the last epoch. A lease that can't be read is counted and left to run out; its bytes are kept unless they are cut
     * off. Shadows that do not fit are removed and counted.
     */
    void restore(Counts counts) {
        discard();
        List<Lease> removed = new ArrayList<>();
        List<byte[]> cutOff = new ArrayList<>();
        store.forEach((key, value) -> {
            try {
                if (lease(key)) {
                    Lease lease = LeaseCodec.read(value);
                    if (account(lease) == Account.SHADOWS && !hasRoom(lease)) {
                        removed.add(lease);
                    } else {
                        hold(lease);
                    }
                }
            } catch (MalformedRecord e) {
                counts.add(Count.UNREADABLE);
                store.unreadable(key);
                if (LeaseCodec.cutOff(value)) {
                    cutOff.add(key);
                }
            }
        });
        cutOff.forEach(store::delete);
        for (Lease lease : removed) {
            counts.add(Count.NO_ROOM, Account.SHADOWS.label());
            // nothing can be published yet: its record ends with its lease
            store.delete(lease.gate().bytes());
        }
    }

    /** Returns whether a key of the store is that of a lease. */
    private static boolean lease(byte[] key) throws MalformedRecord {
        List<String> elements = CompositeKey.read(key);
        if (elements.isEmpty() || elements.get(0).isEmpty()) {
            throw new MalformedRecord("lease: the policy is missing");
        }
        return elements.get(0).charAt(0) != RESERVED;
    }

    /** Returns whether the budget has room for another lease like this one. */
    boolean hasRoom(Lease lease) {
        return budget.hasRoom(account(lease), bytes(lease));
    }

    /** The account that pays for a lease. Released leases stay until their record has run out, and are few. */
    static Account account(Lease lease) {
        return lease.enforced() || lease.guarded() || lease.released() ? Account.LOCKS : Account.SHADOWS;
    }

    private static long bytes(Lease lease) {
        return LEASE_BYTES + 2 * lease.key().heapBytes();
    }

    /** Holds, stores and publishes a lease. */
    void write(Lease lease) {
        publish(lease);
    }

    /** Holds, stores and publishes a lease and records the transition. */
    void write(Lease lease, LockTransition.Event event) {
        Version version = publish(lease);
        sink.transition(new LockTransition(event, null, lease.written(), lease.described(version)));
    }

    /** Holds, stores and publishes a released lease and records the transition. */
    void write(Lease released, LockTransition.Cause cause) {
        Version version = publish(released);
        sink.transition(new LockTransition(
                LockTransition.Event.RELEASED, cause, released.until(), released.described(version)));
    }

    private Version publish(Lease lease) {
        keep(lease);
        Version version = versions.get();
        sink.lock(lease.record(version));
        return version;
    }

    /** Holds and stores a lease whose record need not change. */
    void keep(Lease lease) {
        hold(lease);
        store.write(lease.gate().bytes(), LeaseCodec.write(lease));
    }

    /** Removes a lease that ended by itself. */
    void expire(Lease lease) {
        forget(lease);
        sink.transition(
                new LockTransition(LockTransition.Event.EXPIRED, null, lease.until(), lease.described(versions.get())));
    }

    void forget(Lease lease) {
        LeaseKey gate = lease.gate();
        Lease removed = leases.remove(gate);
        count(removed, -1);
        pay(removed, -1);
        store.delete(gate.bytes());
        sink.tombstone(gate.policy(), gate.subject());
    }

    private void hold(Lease lease) {
        Lease replaced = leases.put(lease.gate(), lease);
        count(replaced, -1);
        pay(replaced, -1);
        count(lease, 1);
        pay(lease, 1);
    }

    private void pay(@Nullable Lease lease, int one) {
        if (lease != null) {
            budget.add(account(lease), one * bytes(lease));
        }
    }

    private void count(@Nullable Lease lease, int one) {
        if (lease != null && lease.released()) {
            released(lease, one);
        } else if (lease != null) {
            unreleased += one;
            Tally tally = tallies.computeIfAbsent(lease.key().policy(), any -> new Tally());
            tally.enforced += lease.enforced() ? one : 0;
            tally.guarded += lease.guarded() ? one : 0;
            tally.shadows += lease.enforced() || lease.guarded() ? 0 : one;
        }
    }

    private void released(Lease lease, int one) {
        if (one > 0) {
            firstRelease = Math.min(firstRelease, lease.until());
        } else if (lease.until() == firstRelease) {
            firstReleaseGone = true;
        }
    }

    /** Returns the time of the first release among the leases, {@link Long#MAX_VALUE} for none. */
    long firstRelease() {
        if (firstReleaseGone) {
            firstReleaseGone = false;
            firstRelease = leases.values().stream()
                    .filter(Lease::released)
                    .mapToLong(Lease::until)
                    .min()
                    .orElse(Long.MAX_VALUE);
        }
        return firstRelease;
    }

    /** Returns the number of unreleased leases. */
    int unreleased() {
        return unreleased;
    }

    @Nullable
    Lease lease(LeaseKey gate) {
        return leases.get(gate);
    }

    /** Returns a copy of all leases. */
    List<Lease> all() {
        return new ArrayList<>(leases.values());
    }

    int size(Predicate<Lease> of) {
        return (int) leases.values().stream().filter(of).count();
    }

    int enforced(String policy) {
        Tally tally = tallies.get(policy);
        return tally == null ? 0 : tally.enforced;
    }

    /** Returns the number of enforced leases of each policy. */
    Map<String, Integer> enforced() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        tallies.forEach((policy, tally) -> {
            if (tally.enforced > 0) {
                counts.put(policy, tally.enforced);
            }
        });
        return counts;
    }

    int guarded(String policy) {
        Tally tally = tallies.get(policy);
        return tally == null ? 0 : tally.guarded;
    }

    /** Returns the number of unreleased leases of each policy. */
    Map<String, HeldLocks> held() {
        Map<String, HeldLocks> held = new LinkedHashMap<>();
        tallies.forEach(
                (policy, tally) -> held.put(policy, new HeldLocks(tally.enforced, tally.guarded, tally.shadows)));
        return held;
    }

    void discard() {
        leases.values().forEach(lease -> pay(lease, -1));
        leases.clear();
        tallies.clear();
        unreleased = 0;
        firstRelease = Long.MAX_VALUE;
        firstReleaseGone = false;
    }
}
