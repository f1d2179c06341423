package io.sluice.analyzer.window;

import io.sluice.contract.json.MalformedRecord;
import org.jspecify.annotations.Nullable;

/** The stored blocks of windows. One thread. */
final class Blocks {
    private final WindowStore store;
    private final BlockBloomFilter written = new BlockBloomFilter();

    Blocks(WindowStore store) {
        this.store = store;
    }

    /** As for {@link BlockBloomFilter#begin}. */
    void begin(long newestStart) {
        written.begin(newestStart);
    }

    /** Returns the latest start of a block that was ever written, {@link Long#MIN_VALUE} for none. */
    long newest() {
        return written.newest();
    }

    /** A stored block, or {@code null} when there is none that can be read. */
    Block.@Nullable Decoded read(byte[] storeKey, Shape shape, long number) {
        long start = shape.blockStart(number);
        if (!written.may(KeyHash.of(storeKey), start)) {
            return null;
        }
        byte[] stored = store.read(shape.retention(), storeKey, start);
        if (stored == null) {
            return null;
        }
        if (!Block.known(stored)) {
            // another version's: counting begins anew
            store.unreadable();
            return null;
        }
        try {
            return Block.decode(stored, shape, number);
        } catch (MalformedRecord e) {
            throw new IllegalStateException("the window store holds a block that can't be read", e);
        }
    }

    void write(byte[] storeKey, Shape shape, Block block, long since) {
        long start = shape.blockStart(block.number);
        written.note(KeyHash.of(storeKey), start);
        store.write(shape.retention(), storeKey, start, block.encode(shape, since));
    }
}
