package io.sluice.analyzer.decide;

import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.usage.Origin;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The epochs a decide task has to remember: its own, and the newest of each meter task. Those of meters are stored at a
 * commit, together with the windows: stored before, they would outlive a crash that the sums of an earlier life of the
 * meter have not, and these would be refused when they are read again.
 */
final class Epochs {
    private static final byte[] OWN = CompositeKey.bytes(List.of("$epoch"));

    private final LeaseStore store;
    private final Map<Integer, Long> meters = new HashMap<>();
    private final Set<Integer> unsaved = new HashSet<>();

    Epochs(LeaseStore store) {
        this.store = store;
    }

    /** The task's highest epoch so far, or {@link Epoch#NONE}. */
    long own() {
        return read(OWN);
    }

    void own(long epoch) {
        write(OWN, epoch);
    }

    /** Returns whether a record is of the newest known life of its meter, or of a newer one. */
    boolean current(Origin origin) {
        long newest = meters.computeIfAbsent(origin.task(), task -> read(key(task)));
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

    private long read(byte[] key) {
        byte[] stored = store.read(key);
        return stored == null ? Epoch.NONE : ByteBuffer.wrap(stored).getLong();
    }

    void discard() {
        meters.clear();
        unsaved.clear();
    }
}
