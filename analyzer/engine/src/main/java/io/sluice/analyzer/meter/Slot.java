package io.sluice.analyzer.meter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where amounts are added: the pane of a subject of a {@link MeteredGroup}, or of a group of a {@link MeteredLoad}. One mutable slot serves all
 * lookups, so that an event that finds its sum allocates nothing; ordered, so that names chosen to collide don't make a map slow.
 */
final class Slot implements Comparable<Slot> {
    /** This object and its array. */
    private static final long BYTES = 56;

    /** A string of no characters, and the reference to it. */
    private static final long VALUE_BYTES = 48;

    private int number;
    private String[] values = new String[4];
    private int size;
    private long pane;
    private int hash;

    /** One that has to be pointed somewhere first. */
    Slot() {}

    private Slot(Slot other) {
        number = other.number;
        values = Arrays.copyOf(other.values, other.size);
        size = other.size;
        pane = other.pane;
        hash = other.hash;
    }

    Slot copy() {
        return new Slot(this);
    }

    private void room(int length) {
        if (values.length < length) {
            values = new String[length];
        }
    }

    /** Points to a subject's pane. */
    void subject(MeteredGroup of, String[] subject, long inPane) {
        room(of.subjectSize());
        System.arraycopy(subject, 0, values, 0, of.subjectSize());
        point(of.number, of.subjectSize(), inPane);
    }

    /** Points to the group that a subject belongs to. */
    void load(MeteredLoad of, String[] subject, long inPane) {
        int[] places = of.places();
        room(places.length);
        for (int i = 0; i < places.length; i++) {
            values[i] = subject[places[i]];
        }
        point(of.number(), places.length, inPane);
    }

    private void point(int to, int length, long inPane) {
        number = to;
        size = length;
        pane = inPane;
        int h = to;
        for (int i = 0; i < length; i++) {
            h = 31 * h + values[i].hashCode();
        }
        hash = 31 * h + Long.hashCode(inPane);
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

    /** The values, which must not be changed. */
    String[] values() {
        return values;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Slot slot
                && hash == slot.hash
                && pane == slot.pane
                && number == slot.number
                && Arrays.equals(values, 0, size, slot.values, 0, slot.size);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(Slot other) {
        if (number != other.number) {
            return Integer.compare(number, other.number);
        }
        if (hash != other.hash || pane != other.pane) {
            int byHash = Integer.compare(hash, other.hash);
            return byHash != 0 ? byHash : Long.compare(pane, other.pane);
        }
        int bySize = Integer.compare(size, other.size);
        for (int i = 0; bySize == 0 && i < size; i++) {
            bySize = values[i].compareTo(other.values[i]);
        }
        return bySize;
    }
}
