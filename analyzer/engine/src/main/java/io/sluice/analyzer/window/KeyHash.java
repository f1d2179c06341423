package io.sluice.analyzer.window;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.SplittableRandom;

/** Hashes of keys, valid in this process alone: the salt prevents clients from choosing names that collide. */
final class KeyHash {
    private static final Hasher64 HASHER = Hashing.komihash5_0(new SplittableRandom().nextLong());

    private KeyHash() {}

    static long of(byte[] storeKey) {
        return HASHER.hashBytesToLong(storeKey);
    }
}
