package io.sluice.agent.internal.gate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash table with open addressing and a fixed capacity. A byte per slot holds seven bits of the hash, so that a look-up rarely reads an entry
 * other than its own. A slot that was used never becomes free again, so a reader that meets a free slot has seen all candidates; it may
 * be reused. Entries without a slot within {@link #PROBES} steps are in an overflow map, which withstands colliding keys.
 *
 * <p>Reads take no lock. Writers must be serialized by the caller.
 */
final class SubjectHashTable {
    private static final int PROBES = 32;
    private static final byte FREE = 0;
    private static final byte GONE = 1;
    private static final VarHandle TAG = MethodHandles.arrayElementVarHandle(byte[].class);
    private static final VarHandle KEPT = MethodHandles.arrayElementVarHandle(SubjectEntry[].class);

    private static final int SMALLEST = 16;

    /** A shared table without slots that is never written. */
    static final SubjectHashTable EMPTY = new SubjectHashTable(1);

    private final int mask;
    private final byte[] tags;
    private final @Nullable SubjectEntry[] kept;
    private volatile @Nullable ConcurrentHashMap<SubjectKey, SubjectEntry> aside;
    private int taken;
    private int size;

    /** @param capacity a power of two */
    private SubjectHashTable(int capacity) {
        mask = capacity - 1;
        tags = new byte[capacity];
        kept = new SubjectEntry[capacity];
    }

    /** Adds an entry of a new subject; returns this table, or a larger copy when five of eight slots are used. */
    SubjectHashTable with(SubjectEntry added) {
        SubjectHashTable roomy = taken < (mask + 1) / 8 * 5 ? this : resized();
        roomy.add(added);
        return roomy;
    }

    /** Returns a copy that is at most half as full as allowed. */
    private SubjectHashTable resized() {
        int capacity = SMALLEST;
        while (capacity / 16 * 5 < size) {
            capacity *= 2;
        }
        SubjectHashTable next = new SubjectHashTable(capacity);
        forEach(next::add);
        return next;
    }

    private static byte tag(long hash) {
        return (byte) (hash >>> 48 | 0x80);
    }

    @Nullable
    SubjectEntry get(long hash, long head, long tail, @Nullable Object name) {
        byte tag = tag(hash);
        int at = (int) hash & mask;
        for (int step = 1; step <= PROBES; step++) {
            byte seen = (byte) TAG.getVolatile(tags, at);
            if (seen == tag) {
                SubjectEntry found = (SubjectEntry) KEPT.getVolatile(kept, at);
                if (found != null && found.isOf(head, tail, name)) {
                    return found;
                }
            } else if (seen == FREE) {
                return null;
            }
            at = (at + step) & mask;
        }
        ConcurrentHashMap<SubjectKey, SubjectEntry> others = aside;
        return others == null ? null : others.get(new SubjectKey(head, tail, name));
    }

    private void add(SubjectEntry added) {
        long hash = added.hash();
        size++;
        int at = (int) hash & mask;
        for (int step = 1; step <= PROBES; step++) {
            byte seen = tags[at];
            if (seen == FREE || seen == GONE) {
                taken += seen == FREE ? 1 : 0;
                KEPT.setVolatile(kept, at, added);
                TAG.setVolatile(tags, at, tag(hash));
                return;
            }
            at = (at + step) & mask;
        }
        ConcurrentHashMap<SubjectKey, SubjectEntry> others = aside;
        if (others == null) {
            others = new ConcurrentHashMap<>();
            aside = others;
        }
        others.put(added.key(), added);
    }

    boolean has(SubjectEntry known) {
        return get(known.hash(), known.head(), known.tail(), known.name()) == known;
    }

    /** Replaces an entry by another of the same subject, or removes it; false when it is not present. */
    boolean replace(SubjectEntry known, @Nullable SubjectEntry next) {
        long hash = known.hash();
        int at = (int) hash & mask;
        for (int step = 1; step <= PROBES && tags[at] != FREE; step++) {
            if (kept[at] == known) {
                if (next == null) {
                    size--;
                    TAG.setVolatile(tags, at, GONE);
                }
                KEPT.setVolatile(kept, at, next);
                return true;
            }
            at = (at + step) & mask;
        }
        ConcurrentHashMap<SubjectKey, SubjectEntry> others = aside;
        if (others == null || others.get(known.key()) != known) {
            return false;
        }
        if (next == null) {
            size--;
            others.remove(known.key());
        } else {
            others.put(known.key(), next);
        }
        return true;
    }

    /** Visits all entries that are present throughout, and possibly others. */
    void forEach(Consumer<? super SubjectEntry> told) {
        for (int at = 0; at <= mask; at++) {
            SubjectEntry each = (SubjectEntry) KEPT.getVolatile(kept, at);
            if (each != null) {
                told.accept(each);
            }
        }
        ConcurrentHashMap<SubjectKey, SubjectEntry> others = aside;
        if (others != null) {
            others.values().forEach(told);
        }
    }
}
