package io.sluice.contract.usage;

import io.sluice.contract.json.MalformedRecord;
import java.util.Arrays;

/**
 * Many usage records of one meter that go to the same partition, in one record of the topic: a kind byte, then the length
 * and the bytes of each key and each value in turn. What a record costs Kafka on its way is then shared by all of them,
 * and they compress together. One thread.
 */
public final class UsageBundle {
    private static final int FIRST_ROOM = 1024;

    private byte[] bytes = new byte[FIRST_ROOM];
    private int size;

    /** Receives one record after the other. */
    @FunctionalInterface
    public interface Entry {
        /** @throws MalformedRecord when it can't be read; those behind it are not passed on */
        void of(byte[] key, byte[] value) throws MalformedRecord;
    }

    /** Adds a record behind those that are in it. */
    public void add(byte[] key, byte[] value) {
        int more = Varints.size(key.length) + key.length + Varints.size(value.length) + value.length;
        int needed = Math.max(size, 1) + more;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
        }
        if (size == 0) {
            bytes[size++] = BinaryKind.BUNDLE;
        }
        put(key);
        put(value);
    }

    private void put(byte[] block) {
        int at = Varints.put(bytes, size, block.length);
        System.arraycopy(block, 0, bytes, at, block.length);
        size = at + block.length;
    }

    /** How many bytes {@link #take} would give; 0 when nothing was added. */
    public int size() {
        return size;
    }

    /** The record's value; empty from then on. */
    public byte[] take() {
        byte[] taken = Arrays.copyOf(bytes, size);
        size = 0;
        return taken;
    }

    /** Returns whether these bytes are a bundle; what isn't, is a usage record of its own. */
    public static boolean is(byte[] value) {
        return value.length > 0 && value[0] == BinaryKind.BUNDLE;
    }

    /**
     * Passes on each record in it, in their order.
     *
     * @throws MalformedRecord when it is cut off or empty, or when {@code entry} throws it
     */
    public static void read(byte[] value, Entry entry) throws MalformedRecord {
        VarintReader from = new VarintReader(value, 1);
        do {
            byte[] key = from.block("usage.bundle.key", value.length);
            entry.of(key, from.block("usage.bundle.value", value.length));
        } while (from.more());
    }
}
