package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.usage.UsageKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The subjects that were locked before by a policy whose repeats last longer, and how often, until that expires. A policy that counts
 * in another way than before begins without any: what was an offence then need not be one now. Bounded: past {@link #MOST}
 * the one that would be forgotten first is. Stored at once, so that it survives the task.
 */
final class Offenders {
    /** How many subjects a task remembers: a few megabytes of heap. */
    static final int MOST = 20_000;

    private static final String RESERVED = "$offender";
    private static final byte FORMAT = 1;
    private static final int LENGTH = 1 + Integer.BYTES + Long.BYTES;
    private static final Comparator<Offence> BY_END =
            Comparator.comparingLong(Offence::until).thenComparingLong(Offence::order);

    private final LeaseStore store;
    private final Map<UsageKey, Offence> offences = new HashMap<>();
    private final NavigableSet<Offence> byEnd = new TreeSet<>(BY_END);
    private long order;

    /** @param order distinguishes entries that expire at the same time */
    private record Offence(UsageKey key, int level, long until, long order) {}

    Offenders(LeaseStore store) {
        this.store = store;
    }

    /** The level of a subject's last lock, 0 when none is remembered. */
    int level(UsageKey key, long now) {
        Offence offence = offences.get(key);
        return offence == null || now >= offence.until ? 0 : offence.level;
    }

    /** Takes note of a lock that has ended. */
    void remember(Lease lease) {
        Length length = lease.terms().length();
        if (length.escalates()) {
            long until = lease.until() + length.forgetMillis();
            ByteBuffer value = ByteBuffer.allocate(LENGTH);
            value.put(FORMAT).putInt(lease.level()).putLong(until);
            store.write(storeKey(lease.key()), value.array());
            hold(lease.key(), lease.level(), until);
        }
    }

    private void hold(UsageKey key, int level, long until) {
        Offence offence = new Offence(key, level, until, order++);
        Offence before = offences.put(key, offence);
        if (before != null) {
            byEnd.remove(before);
        }
        byEnd.add(offence);
        if (byEnd.size() > MOST) {
            forget(byEnd.first());
        }
    }

    /** Forgets whose time has come. */
    void sweep(long now) {
        while (!byEnd.isEmpty() && now >= byEnd.first().until) {
            forget(byEnd.first());
        }
    }

    private void forget(Offence offence) {
        byEnd.remove(offence);
        offences.remove(offence.key);
        store.delete(storeKey(offence.key));
    }

    int size() {
        return offences.size();
    }

    /** Restores the offences of the last epoch. What can't be read is counted, and removed unless it is of another format. */
    void restore(Counts counts) {
        discard();
        List<byte[]> damaged = new ArrayList<>();
        Map<UsageKey, ByteBuffer> stored = new HashMap<>();
        store.forEach((key, value) -> {
            List<String> elements = elements(key);
            if (elements.size() < 2 || !elements.get(0).equals(RESERVED)) {
                return;
            }
            ByteBuffer bytes = ByteBuffer.wrap(value);
            boolean known = value.length == 0 || bytes.get() == FORMAT;
            if (known && value.length == LENGTH && !elements.get(1).isEmpty()) {
                stored.put(new UsageKey(elements.get(1), elements.subList(2, elements.size())), bytes);
                return;
            }
            counts.add(Count.UNREADABLE);
            store.unreadable(key);
            if (known) {
                damaged.add(key);
            }
        });
        damaged.forEach(store::delete);
        stored.forEach((key, value) -> hold(key, value.getInt(), value.getLong()));
    }

    private static List<String> elements(byte[] key) {
        try {
            return CompositeKey.read(key);
        } catch (MalformedRecord e) {
            // not ours: whose it is will count it
            return List.of();
        }
    }

    private static byte[] storeKey(UsageKey key) {
        List<String> elements = new ArrayList<>(key.subject().size() + 2);
        elements.add(RESERVED);
        elements.add(key.policyRevision());
        elements.addAll(key.subject());
        return CompositeKey.bytes(elements);
    }

    void discard() {
        offences.clear();
        byEnd.clear();
    }
}
