package io.sluice.analyzer.decide;

import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.usage.Origin;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The epochs a decide task has to remember: its own, and the newest of each meter task. */
final class Epochs {
    private static final byte[] OWN = CompositeKey.bytes(List.of("$epoch"));

    private final LeaseStore store;
    private final Map<Integer, Long> meters = new HashMap<>();

    Epochs(LeaseStore store) {
        this.store = store;
    }

    /** The task's highest epoch so far, or {@link Epoch#NONE}. */
    long own() {
        return read(OWN);
    }

    void own(long epoch) {
        store.write(OWN, ByteBuffer.allocate(Long.BYTES).putLong(epoch).array());
    }

    /** Whether a record is of the newest known life of its meter, or of a newer one. */
    boolean current(Origin origin) {
        long newest = meters.computeIfAbsent(origin.task(), task -> read(key(task)));
        if (origin.epoch() > newest) {
            meters.put(origin.task(), origin.epoch());
            store.write(
                    key(origin.task()),
                    ByteBuffer.allocate(Long.BYTES).putLong(origin.epoch()).array());
        }
        return origin.epoch() >= newest;
    }

    private static byte[] key(int task) {
        return CompositeKey.bytes(List.of("$meter", Integer.toString(task)));
    }

    private long read(byte[] key) {
        byte[] stored = store.read(key);
        return stored == null ? Epoch.NONE : ByteBuffer.wrap(stored).getLong();
    }

    void discard() {
        meters.clear();
    }
}
