package io.sluice.contract.key;

/**
 * The partition that Kafka's producers choose for a key: 32-bit murmur2 by Austin Appleby with Kafka's seed, made
 * non-negative, modulo the number of partitions. Implemented here so that the number can be computed without Kafka.
 */
public final class Partitions {
    private static final int SEED = 0x9747b28c;
    private static final int MIX = 0x5bd1e995;

    private Partitions() {}

    /**
     * The key's partition, from 0 to {@code partitions} − 1.
     *
     * @param partitions at least 1
     */
    public static int of(byte[] key, int partitions) {
        return (murmur2(key) & Integer.MAX_VALUE) % partitions;
    }

    private static int murmur2(byte[] key) {
        int hash = SEED ^ key.length;
        int whole = key.length & ~3;
        for (int i = 0; i < whole; i += 4) {
            int word = (key[i] & 0xff) | ((key[i + 1] & 0xff) << 8) | ((key[i + 2] & 0xff) << 16) | (key[i + 3] << 24);
            word *= MIX;
            word ^= word >>> 24;
            hash = (hash * MIX) ^ (word * MIX);
        }
        int rest = key.length - whole;
        if (rest > 0) {
            for (int i = 0; i < rest; i++) {
                hash ^= (key[whole + i] & 0xff) << (8 * i);
            }
            hash *= MIX;
        }
        hash ^= hash >>> 13;
        hash *= MIX;
        return hash ^ (hash >>> 15);
    }
}
