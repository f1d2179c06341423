package io.sluice.analyzer.load;

import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
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

    /** Adds a record of {@link #load}. Positions of earlier epochs of a meter than the newest known one are ignored. */
    public void accept(Load load) {
        long[] tasks = load.rejectedCount();
        int meters = newest.positions.length;
        for (long task : tasks) {
            if (task <= Origin.MOST_TASK) {
                meters = Math.max(meters, (int) task + 1);
            }
        }
        long[] epochs = grown(newest.epochs, meters);
        long[] positions = grown(newest.positions, meters);
        for (int i = 0; i < tasks.length; i++) {
            if (tasks[i] <= Origin.MOST_TASK && load.admittedCount()[i] >= epochs[(int) tasks[i]]) {
                int task = (int) tasks[i];
                epochs[task] = load.admittedCount()[i];
                positions[task] = Math.max(positions[task], load.admitted()[i]);
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
