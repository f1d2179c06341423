package io.sluice.analyzer.decide;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Where a decide task's small state outlives it: leases and epochs. Used by one thread. */
public interface LeaseStore {
    byte @Nullable [] read(byte[] key);

    void write(byte[] key, byte[] value);

    void delete(byte[] key);

    /** Everything that is stored; the store is not changed meanwhile. */
    void forEach(BiConsumer<byte[], byte[]> to);

    /** A record of the store was counted as unreadable, and is skipped. */
    default void unreadable(byte[] key) {}
}
