package io.sluice.analyzer.distinct;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;

/**
 * The hash by which different values are counted. All meters of a fleet must use the same one, or a value would count twice. With a key that callers do
 * not know, they cannot choose values that share a hash or a register of the sketch, and so be counted as few. Immutable and thread-safe.
 *
 * <p>Keyed, it is PolymurHash 2.0 (O. Peters, 2023): two values that were chosen without the key get one hash with a probability of at most
 * n · 2^-60.2 for values of n bytes.
 */
public final class DistinctHash {
    /** Without a key, as all versions before keys: for logs that are replayed, where a result must not depend on a key. */
    public static final DistinctHash UNKEYED = new DistinctHash(Hashing.komihash5_0(), 0);

    private final Hasher64 hasher;
    private final int key;

    private DistinctHash(Hasher64 hasher, int key) {
        this.hasher = hasher;
        this.key = key;
    }

    /** Returns the hash with a key of 128 bits. */
    public static DistinctHash keyed(long high, long low) {
        Hasher64 hasher = Hashing.polymurHash2_0(high, low);
        int fingerprint = (int) hasher.hashCharsToLong("the key's fingerprint");
        // 0 is the hash without a key
        return new DistinctHash(hasher, fingerprint == 0 ? 1 : fingerprint);
    }

    /** Returns the hash of a value. */
    public long of(String value) {
        return hasher.hashCharsToLong(value);
    }

    /** Returns a new stream for the hash of several values. */
    public HashStream64 stream() {
        return hasher.hashStream();
    }

    /** Returns the fingerprint of the key, 0 without one: sets with different ones cannot be put together. */
    public int key() {
        return key;
    }

    /** Returns an empty set for hashes of this. */
    public DistinctValues none() {
        return DistinctValues.empty(key);
    }
}
