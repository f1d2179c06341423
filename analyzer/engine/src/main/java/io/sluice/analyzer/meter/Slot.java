package io.sluice.analyzer.meter;

import io.sluice.contract.usage.UsageKey;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an amount is added: a subject's or a group's pane. One mutable slot serves all lookups, so that an event that finds
 * its sum allocates nothing; ordered, so that names chosen to collide don't make a map slow.
 */
final class Slot implements Comparable<Slot> {
    /** The group's place among its policy's groups, when the slot is a subject's. */
    static final int SUBJECT = -1;

    /** This object and its array. */
    private static final long BYTES = 64;

    /** A string of no characters, and the reference to it. */
    private static final long VALUE_BYTES = 48;

    private MeteredPolicy policy;
    private int group;
    private String[] values = new String[4];
    private int size;
    private long pane;
    private int hash;

    /** One that has to be pointed somewhere first. */
    @SuppressWarnings("NullAway.Init")
    Slot() {}

    private Slot(Slot other) {
        policy = other.policy;
        group = other.group;
        values = Arrays.copyOf(other.values, other.size);
        size = other.size;
        pane = other.pane;
        hash = other.hash;
    }

    Slot copy() {
        return new Slot(this);
    }

    /** Room for this many values, to be filled before {@link #subject}. */
    String[] room(int length) {
        if (values.length < length) {
            values = new String[length];
        }
        return values;
    }

    /** Points to a subject's pane. The values are those of {@link #room}, or are copied. */
    void subject(MeteredPolicy of, String[] subject, long inPane) {
        if (subject != values) {
            System.arraycopy(subject, 0, room(of.subjectSize), 0, of.subjectSize);
        }
        point(of, SUBJECT, of.subjectSize, inPane);
    }

    /** Points to the group that a subject belongs to. */
    void group(MeteredPolicy of, int index, String[] subject, long inPane) {
        int[] places = of.groupPlaces[index];
        room(places.length);
        for (int i = 0; i < places.length; i++) {
            values[i] = subject[places[i]];
        }
        point(of, index, places.length, inPane);
    }

    private void point(MeteredPolicy of, int index, int length, long inPane) {
        policy = of;
        group = index;
        size = length;
        pane = inPane;
        int h = 31 * of.number + index;
        for (int i = 0; i < length; i++) {
            h = 31 * h + values[i].hashCode();
        }
        hash = 31 * h + Long.hashCode(inPane);
    }

    boolean load() {
        return group != SUBJECT;
    }

    long pane() {
        return pane;
    }

    /** Estimated bytes of heap, with its values. */
    long bytes() {
        long bytes = BYTES;
        for (int i = 0; i < size; i++) {
            bytes += VALUE_BYTES + values[i].length();
        }
        return bytes;
    }

    String[] values() {
        return values;
    }

    /** The key under which the sum travels. */
    UsageKey key() {
        List<String> all = Arrays.asList(values);
        return group == SUBJECT
                ? new UsageKey(policy.revision, all)
                : policy.groups.get(group).key(all);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Slot slot && compareTo(slot) == 0;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(Slot other) {
        if (policy != other.policy) {
            return Integer.compare(policy.number, other.policy.number);
        }
        if (hash != other.hash || pane != other.pane || group != other.group) {
            int byHash = Integer.compare(hash, other.hash);
            int byPane = byHash != 0 ? byHash : Long.compare(pane, other.pane);
            return byPane != 0 ? byPane : Integer.compare(group, other.group);
        }
        int bySize = Integer.compare(size, other.size);
        for (int i = 0; bySize == 0 && i < size; i++) {
            bySize = values[i].compareTo(other.values[i]);
        }
        return bySize;
    }
}
