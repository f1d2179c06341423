package io.sluice.agent.internal.gate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash table with open addressing and a fixed size. A byte beside each place holds seven bits of the hash, so that a
 * look-up goes to the subject that it looks for and to hardly any other. A place that was taken is never free again, so a
 * reader that meets a free one has seen all; it may be taken by another. Who finds no place within {@link #PROBES} steps is kept aside in a
 * map that stands up to any keys.
 *
 * <p>Reads take no lock. Writes are one at a time; their callers see to that.
 */
final class SubjectHashTable {
    private static final int PROBES = 32;
    private static final byte FREE = 0;
    private static final byte GONE = 1;
    private static final VarHandle TAG = MethodHandles.arrayElementVarHandle(byte[].class);
    private static final VarHandle KEPT = MethodHandles.arrayElementVarHandle(SubjectEntry[].class);

    private static final int SMALLEST = 16;

    /** Without a place. Shared, so nothing is ever put into it. */
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

    /** With one more, whose subject has none yet: these, or where five of eight places are taken larger ones. */
    SubjectHashTable with(SubjectEntry added) {
        SubjectHashTable roomy = taken < (mask + 1) / 8 * 5 ? this : resized();
        roomy.add(added);
        return roomy;
    }

    /** A copy that is at most half as full as may be. */
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

    /** Puts another of the same subject in its place, or none; false when this one is not there. */
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

    /** Tells of all that are there from beginning to end, and of some others. */
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
