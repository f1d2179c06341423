package io.sluice.analyzer;

import java.util.ArrayList;
import java.util.List;

/** What everything is measured against: every event is kept, every sum is taken anew. Obvious rather than fast. */
public final class ExactSlidingLog {
    private record Entry(String subject, long time, long amount) {}

    private final List<Entry> entries = new ArrayList<>();

    public void add(String subject, long time, long amount) {
        entries.add(new Entry(subject, time, amount));
    }

    /** The subject's sum over events with time in (after, upTo]. */
    public long sum(String subject, long after, long upTo) {
        long sum = 0;
        for (Entry entry : entries) {
            if (entry.subject.equals(subject) && entry.time > after && entry.time <= upTo) {
                sum += entry.amount;
            }
        }
        return sum;
    }

    /** The sum over events of all subjects with time in (after, upTo]. */
    public long sum(long after, long upTo) {
        long sum = 0;
        for (Entry entry : entries) {
            if (entry.time > after && entry.time <= upTo) {
                sum += entry.amount;
            }
        }
        return sum;
    }

    /** The times of a subject's events from this one on. */
    public List<Long> times(String subject, long from) {
        List<Long> times = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.subject.equals(subject) && entry.time >= from) {
                times.add(entry.time);
            }
        }
        return times;
    }
}
