package io.sluice.analyzer.load;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The newest position of every meter, as read from the loads topic, where the meters of a thread publish theirs together. There they have no
 * order with the partials on the usage partitions. So a position is published only after all partials up to it are on their partitions, and a
 * decide task uses a {@link Snapshot} only after it has read its partition to an end that was asked for after the snapshot was taken.
 *
 * <p>They travel as loads of one pane for each meter, which analyzers that read positions from the usage partitions take for the load of a group
 * that they do not have. Thread-safe: one thread writes.
 */
public final class MeterPositions {
    /** No position is known. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** The most positions of one record. */
    public static final int MOST = 1_000;

    // no policy's name has a $
    private static final String METERS = "$meters";

    /** Name of the record, for messages. */
    private static final String RECORD = "load";

    private volatile Snapshot newest = new Snapshot(new long[0], new long[0]);

    /** The positions at one time; index is the meter's task. Immutable. */
    public static final class Snapshot {
        private final long[] epochs;
        private final long[] positions;
        private final long least;

        private Snapshot(long[] epochs, long[] positions) {
            this.epochs = epochs;
            this.positions = positions;
            least = Arrays.stream(positions).min().orElse(UNKNOWN);
        }

        /** Returns the least position of the first so many meters or of more of them, {@link #UNKNOWN} while one is not known. */
        long least(int meters) {
            return meters > positions.length ? UNKNOWN : least;
        }

        /** Returns the epoch of the meter that wrote the position, or {@link #UNKNOWN}. */
        public long epoch(int meter) {
            return meter < epochs.length ? epochs[meter] : UNKNOWN;
        }

        /** Returns the position of a meter in epoch milliseconds, or {@link #UNKNOWN}. */
        public long position(int meter) {
            return meter < positions.length ? positions[meter] : UNKNOWN;
        }
    }

    /** Returns the key of a record of several meters' positions. */
    public static UsageKey key(int firstMeter) {
        return new UsageKey(METERS, List.of(Integer.toString(firstMeter)));
    }

    /** Returns whether a key of the loads topic is one of {@link #key}. */
    public static boolean is(UsageKey key) {
        return key.policyRevision().equals(METERS);
    }

    /** Returns the record of several meters' positions, at most {@link #MOST}. */
    public static Load load(List<MeterPosition> positions) {
        long[] times = new long[positions.size()];
        long[] epochs = new long[positions.size()];
        long[] tasks = new long[positions.size()];
        long newest = 0;
        for (int i = 0; i < times.length; i++) {
            MeterPosition position = positions.get(i);
            times[i] = position.position();
            epochs[i] = position.origin().epoch();
            tasks[i] = position.origin().task();
            newest = Math.max(newest, times[i]);
        }
        return new Load(0, times, epochs, tasks, 0, newest);
    }

    /**
     * Adds a record of {@link #load}. Positions of earlier epochs of a meter than the newest known one are ignored.
     *
     * @param appended when the broker appended the record, epoch milliseconds
     * @throws MalformedRecord when no meter can have written one of the positions; all others have been added
     */
    public void accept(Load load, LoadBounds bounds, long appended) throws MalformedRecord {
        List<MeterPosition> accepted = new ArrayList<>(load.panes());
        MalformedRecord refused = null;
        for (int i = 0; i < load.panes(); i++) {
            try {
                accepted.add(position(load, i, bounds, appended));
            } catch (MalformedRecord e) {
                refused = e;
            }
        }
        accept(accepted);
        if (refused != null) {
            throw refused;
        }
    }

    private static MeterPosition position(Load load, int index, LoadBounds bounds, long appended)
            throws MalformedRecord {
        long task = load.rejectedCount()[index];
        if (task > Origin.MOST_TASK) {
            throw new MalformedRecord(RECORD + ".task: at most " + Origin.MOST_TASK + " is expected: " + task);
        }
        Origin origin = new Origin((int) task, load.admittedCount()[index]);
        MeterPosition position = new MeterPosition(load.admitted()[index], origin, 0);
        bounds.check(RECORD, position, appended);
        return position;
    }

    /** Adds positions that have been checked. */
    public void accept(List<MeterPosition> accepted) {
        int meters = newest.positions.length;
        for (MeterPosition position : accepted) {
            meters = Math.max(meters, position.origin().task() + 1);
        }
        long[] epochs = grown(newest.epochs, meters);
        long[] positions = grown(newest.positions, meters);
        for (MeterPosition position : accepted) {
            int task = position.origin().task();
            if (position.origin().epoch() >= epochs[task]) {
                epochs[task] = position.origin().epoch();
                positions[task] = Math.max(positions[task], position.position());
            }
        }
        newest = new Snapshot(epochs, positions);
    }

    private static long[] grown(long[] known, int length) {
        long[] copy = Arrays.copyOf(known, length);
        Arrays.fill(copy, known.length, length, UNKNOWN);
        return copy;
    }

    /** Returns the newest positions. */
    public Snapshot snapshot() {
        return newest;
    }
}
