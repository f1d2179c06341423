package io.sluice.analyzer.top;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The heaviest of ever so many subjects, in a memory for K of them: Space-Saving (Metwally, Agrawal, El Abbadi: Efficient
 * Computation of Frequent and Top-k Elements in Data Streams, 2005) with weights, over counts that fade by forward decay
 * (Cormode, Shkapenyuk, Srivastava, Xu: Forward Decay, 2009): an event of age a counts for e^(−a/τ), so that a steady flow stands
 * at what comes within τ, and what has ended fades away.
 *
 * <p>A subject that is not held replaces the lightest one and takes over its count as a possible error. With N for the (faded) weight of all:
 * a held count is never below the true one; it is above it by at most its error, and that is at most N/K; a subject with more than N/K is
 * held. All else that is added up of a subject is what came since it was taken in. One thread. An addition costs one lookup and
 * O(log K) swaps in a heap.
 */
final class Sketch {
    /** e^60 is far from the end of what a double holds; weights are brought down before they come there. */
    private static final double FARTHEST = 60;

    private final int most;
    private final double fade;
    private final Map<Name, Entry> held = new HashMap<>();
    /** A binary heap, the lightest first. */
    private final List<Entry> heap = new ArrayList<>();

    private long landmark = Long.MIN_VALUE;
    private long newest = Long.MIN_VALUE;
    private double total;

    /** State of one subject, with its weight at the landmark. */
    static final class Entry {
        private Name name;
        private int place;
        private double count;
        private double error;
        private double amount;
        private double admitted;
        private double rejected;
        private double micros;

        private Entry(Name name, int place) {
            this.name = name;
            this.place = place;
        }

        private void begin(Name other) {
            name = other;
            error = count;
            amount = 0;
            admitted = 0;
            rejected = 0;
            micros = 0;
        }

        private void scale(double by) {
            count *= by;
            error *= by;
            amount *= by;
            admitted *= by;
            rejected *= by;
            micros *= by;
        }
    }

    /** The estimate of one subject. */
    record Held(List<String> subject, double error, Use use) {}

    /**
     * @param most how many subjects are held, at least 1
     * @param fadeMillis after so long a count is worth 1/e of what it was
     */
    Sketch(int most, long fadeMillis) {
        this.most = most;
        this.fade = fadeMillis;
    }

    /**
     * Adds what a subject did.
     *
     * @param time of it, epoch milliseconds; what is older counts less
     */
    void add(List<String> subject, long time, Use use) {
        if (landmark == Long.MIN_VALUE) {
            landmark = time;
        }
        newest = Math.max(newest, time);
        if ((time - landmark) / fade > FARTHEST) {
            moveLandmark(time);
        }
        double worth = Math.exp((time - landmark) / fade);
        total += use.weight() * worth;
        Entry entry = entry(new Name(subject));
        entry.count += use.weight() * worth;
        entry.amount += use.amount() * worth;
        entry.admitted += use.admitted() * worth;
        entry.rejected += use.rejected() * worth;
        entry.micros += use.micros() * worth;
        sink(entry);
    }

    private Entry entry(Name name) {
        Entry entry = held.get(name);
        if (entry != null) {
            return entry;
        }
        if (heap.size() < most) {
            entry = new Entry(name, heap.size());
            heap.add(entry);
            // what is new weighs nothing yet: it belongs to the top
            rise(entry);
        } else {
            entry = heap.get(0);
            held.remove(entry.name);
            entry.begin(name);
        }
        held.put(name, entry);
        return entry;
    }

    private void moveLandmark(long time) {
        double by = Math.exp((landmark - time) / fade);
        heap.forEach(entry -> entry.scale(by));
        total *= by;
        landmark = time;
    }

    private void rise(Entry entry) {
        while (entry.place > 0 && heap.get((entry.place - 1) / 2).count > entry.count) {
            swap(entry, heap.get((entry.place - 1) / 2));
        }
    }

    private void sink(Entry entry) {
        while (true) {
            Entry lightest = entry;
            for (int child = 2 * entry.place + 1; child <= 2 * entry.place + 2 && child < heap.size(); child++) {
                if (heap.get(child).count < lightest.count) {
                    lightest = heap.get(child);
                }
            }
            if (lightest.place == entry.place) {
                return;
            }
            swap(entry, lightest);
        }
    }

    private void swap(Entry one, Entry other) {
        int place = one.place;
        one.place = other.place;
        other.place = place;
        heap.set(one.place, one);
        heap.set(other.place, other);
    }

    /** The faded weight of all subjects at a time, or at the newest event's if that is later. */
    double total(long time) {
        return total * worth(time);
    }

    /** All that is held, in no order, as it is at a time, or at the newest event's if that is later. */
    List<Held> held(long time) {
        double worth = worth(time);
        List<Held> all = new ArrayList<>(heap.size());
        for (Entry entry : heap) {
            Use use = new Use(
                    entry.count * worth,
                    entry.amount * worth,
                    entry.admitted * worth,
                    entry.rejected * worth,
                    entry.micros * worth);
            all.add(new Held(entry.name.values(), entry.error * worth, use));
        }
        return all;
    }

    private double worth(long time) {
        return newest == Long.MIN_VALUE ? 0 : Math.exp((landmark - Math.max(newest, time)) / fade);
    }
}
