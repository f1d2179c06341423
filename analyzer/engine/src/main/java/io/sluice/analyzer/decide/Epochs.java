package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.usage.Origin;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The epochs a decide task has to remember: its own, and the newest of each meter task. Those of meters are stored at a
 * commit, together with the windows: stored before, they would outlive a crash that the sums of an earlier life of the
 * meter have not, and these would be refused when they are read again.
 */
final class Epochs {
    /** The beginning of a meter's key. */
    private static final byte[] METER = "[\"$meter\",".getBytes(StandardCharsets.UTF_8);

    private static final Pattern TASK = Pattern.compile("0|[1-9][0-9]{0,4}");

    private static final byte[] OWN = CompositeKey.bytes(List.of("$epoch"));

    private final LeaseStore store;
    private final Map<Integer, Long> meters = new HashMap<>();
    private final Set<Integer> unsaved = new HashSet<>();
    private MeterPositions.@Nullable Snapshot positions;

    Epochs(LeaseStore store) {
        this.store = store;
    }

    /** Returns whether the task has had an epoch, also one that can't be read. */
    boolean any() {
        return store.read(OWN) != null;
    }

    /** The task's highest epoch so far, or {@link Epoch#NONE}. */
    long own() {
        return Epoch.read(store.read(OWN));
    }

    void own(long epoch) {
        write(OWN, epoch);
    }

    /**
     * Loads the newest epoch of each meter whose partials the task has read before. One that can't be read is counted, and replaced by the
     * next of its meter.
     */
    void restore(Counts counts) {
        store.forEach((key, value) -> {
            if (!restored(key, value)) {
                counts.add(Count.UNREADABLE);
                store.unreadable(key);
            }
        });
    }

    /** Returns false for an epoch that can't be read. */
    private boolean restored(byte[] key, byte[] value) {
        if (Arrays.equals(key, OWN)) {
            return Epoch.readable(value);
        }
        if (Arrays.mismatch(key, METER) != METER.length) {
            return true;
        }
        try {
            List<String> elements = CompositeKey.read(key);
            boolean readable =
                    elements.size() == 2 && TASK.matcher(elements.get(1)).matches() && Epoch.readable(value);
            if (readable) {
                meters.put(Integer.valueOf(elements.get(1)), Epoch.read(value));
            }
            return readable;
        } catch (MalformedRecord e) {
            // counted by the leases, as all of the store's keys that are no lists
            return true;
        }
    }

    /** Sets the positions that the task has reached: records of earlier epochs than theirs are not current. */
    void reached(MeterPositions.Snapshot newest) {
        positions = newest;
    }

    /** Returns whether a meter's position in the snapshot is of its newest known epoch. */
    boolean current(MeterPositions.Snapshot of, int meter) {
        return of.epoch(meter) >= meters.getOrDefault(meter, Epoch.NONE);
    }

    /** Returns whether all positions in the snapshot are. */
    boolean current(MeterPositions.Snapshot of) {
        return meters.keySet().stream().allMatch(meter -> current(of, meter));
    }

    /** Returns whether a record is of the newest known epoch of its meter, or of a newer one. */
    boolean current(Origin origin) {
        long newest = meters.computeIfAbsent(origin.task(), task -> Epoch.read(store.read(key(task))));
        if (positions != null && origin.epoch() < positions.epoch(origin.task())) {
            return false;
        }
        if (origin.epoch() > newest) {
            meters.put(origin.task(), origin.epoch());
            unsaved.add(origin.task());
        }
        return origin.epoch() >= newest;
    }

    /** Stores the epochs of meters. */
    void flush() {
        unsaved.forEach(task -> write(key(task), meters.getOrDefault(task, Epoch.NONE)));
        unsaved.clear();
    }

    private static byte[] key(int task) {
        return CompositeKey.bytes(List.of("$meter", Integer.toString(task)));
    }

    private void write(byte[] key, long epoch) {
        store.write(key, ByteBuffer.allocate(Long.BYTES).putLong(epoch).array());
    }

    void discard() {
        meters.clear();
        positions = null;
        unsaved.clear();
    }
}
