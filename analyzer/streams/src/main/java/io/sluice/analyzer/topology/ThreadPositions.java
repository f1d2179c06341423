package io.sluice.analyzer.topology;

import io.sluice.analyzer.load.LoadSink;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.contract.usage.MeterPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Positions of the meters of one stream thread, published together in one record, whatever the number of decide tasks. A meter gives a
 * position only after the broker has acknowledged all its partials up to there. The meter with the lowest number publishes. Shared by the
 * tasks of one thread; not thread-safe.
 */
public final class ThreadPositions {
    private static final long EVERY_NANOS = 200_000_000L;

    private final LongSupplier nanoTime;
    private final TreeMap<Integer, Entry> meters = new TreeMap<>();
    private boolean changed;
    private long published;

    /** A meter and its newest position. */
    private static final class Entry {
        private final Object meter;
        private MeterPosition position;

        private Entry(Object meter, MeterPosition position) {
            this.meter = meter;
            this.position = position;
        }
    }

    /** @param nanoTime the monotonic clock */
    public ThreadPositions(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        published = nanoTime.getAsLong() - EVERY_NANOS;
    }

    /**
     * Takes a meter's position, and publishes those of all meters when that is due.
     *
     * @param meter identifies the task's incarnation
     * @param to receives the records of the publishing meter
     */
    public void reached(Object meter, MeterPosition position, LoadSink to) {
        int task = position.origin().task();
        Entry known = meters.get(task);
        if (known == null || known.meter != meter) {
            meters.put(task, new Entry(meter, position));
            changed = true;
        } else if (known.position.position() < position.position()) {
            known.position = position;
            changed = true;
        }
        if (changed && meters.firstKey() == task && nanoTime.getAsLong() - published >= EVERY_NANOS) {
            publish(to);
        }
    }

    private void publish(LoadSink to) {
        changed = false;
        published = nanoTime.getAsLong();
        List<MeterPosition> positions = new ArrayList<>();
        for (Map.Entry<Integer, Entry> meter : meters.entrySet()) {
            positions.add(meter.getValue().position);
            if (positions.size() == MeterPositions.MOST) {
                publish(positions, to);
            }
        }
        if (!positions.isEmpty()) {
            publish(positions, to);
        }
    }

    private static void publish(List<MeterPosition> positions, LoadSink to) {
        to.load(MeterPositions.key(positions.get(0).origin().task()), MeterPositions.load(positions));
        positions.clear();
    }

    /** Removes a meter that is closed, unless its successor is here already. */
    void part(Object meter) {
        meters.values().removeIf(entry -> entry.meter == meter);
    }
}
