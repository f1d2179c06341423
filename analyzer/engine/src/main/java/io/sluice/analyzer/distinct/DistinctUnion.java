package io.sluice.analyzer.distinct;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Counts the different values of several sets together: exactly, even beyond {@link DistinctValues#MOST_EXACT}, as long as every
 * one of them is exact; by their sketches' union as soon as one is not. Made to be used again and again: it keeps its memory,
 * up to 16 MiB after 600 full sets without a value in common, 12 KiB as a rule, nothing before its first use. For one thread.
 */
/*
 * An open-addressed table of hashes, at most half full, with linear probing. The slot of a hash is salted: otherwise,
 * values could be chosen that all collide, and a count would take minutes. The result does not depend on the salt.
 */
public final class DistinctUnion {
    private static final long SALT = new SplittableRandom().nextLong();
    private static final int FEWEST_SLOTS = 1 << 10;

    // only the first `slots` are in use; 0 is a free one
    private long[] table = {};
    // what the table grows into; they change places, so that a table grows again without new memory
    private long[] spare = {};
    private int slots;
    private int used;
    private boolean zero;
    private @Nullable UltraLogLog sketch;
    private boolean exact = true;
    private int key;
    private boolean begun;

    /** Begins anew, with nothing. */
    public void clear() {
        begun = false;
        emptyTable();
        if (!exact && sketch != null) {
            sketch.reset();
        }
        exact = true;
    }

    /**
     * Puts the values of a set in, which stays as it is. Sets of another key begin the count anew; those without a key, which a former version wrote,
     * are left out beside sets with one.
     */
    public void add(DistinctValues part) {
        if (begun && part.key() != key) {
            if (part.key() == 0) {
                return;
            }
            clear();
        }
        begun = true;
        key = part.key();
        if (!exact || !part.exact()) {
            part.addTo(exact ? becomeSketch() : sketch());
            return;
        }
        while (2 * (used + part.size()) > slots) {
            grow();
        }
        for (int i = 0; i < part.size(); i++) {
            put(part.hash(i));
        }
    }

    /** How many different values there are: exactly while {@link #exact()}, else an estimate of 513 or more. */
    public long count() {
        return exact ? used + (zero ? 1 : 0) : DistinctValues.estimate(sketch());
    }

    /** Returns whether every set that was put in is exact. */
    public boolean exact() {
        return exact;
    }

    private void put(long hash) {
        if (hash == 0) {
            zero = true;
            return;
        }
        int slot = place(hash) & (slots - 1);
        while (table[slot] != 0) {
            if (table[slot] == hash) {
                return;
            }
            slot = (slot + 1) & (slots - 1);
        }
        table[slot] = hash;
        used++;
    }

    /** As the end of MurmurHash3: all bits of the result depend on all bits of the hash and the salt. */
    private static int place(long hash) {
        long mixed = (hash ^ SALT) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return (int) (mixed >>> 33);
    }

    private void grow() {
        long[] from = table;
        int fromSlots = slots;
        slots = Math.max(FEWEST_SLOTS, 2 * fromSlots);
        if (spare.length < slots) {
            spare = new long[slots];
        } else {
            Arrays.fill(spare, 0, slots, 0);
        }
        table = spare;
        spare = from;
        used = 0;
        for (int i = 0; i < fromSlots; i++) {
            if (from[i] != 0) {
                put(from[i]);
            }
        }
    }

    private UltraLogLog sketch() {
        UltraLogLog known = sketch;
        if (known == null) {
            known = UltraLogLog.create(DistinctValues.PRECISION);
            sketch = known;
        }
        return known;
    }

    private UltraLogLog becomeSketch() {
        UltraLogLog all = sketch();
        for (int i = 0; i < slots; i++) {
            if (table[i] != 0) {
                all.add(table[i]);
            }
        }
        if (zero) {
            all.add(0);
        }
        emptyTable();
        exact = false;
        return all;
    }

    private void emptyTable() {
        Arrays.fill(table, 0, slots, 0);
        slots = Math.min(FEWEST_SLOTS, table.length);
        used = 0;
        zero = false;
    }
}
