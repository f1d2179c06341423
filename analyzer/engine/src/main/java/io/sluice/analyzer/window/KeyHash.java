package io.sluice.analyzer.window;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.SplittableRandom;

/** Hashes of keys, good for this process alone: the salt keeps anybody from choosing names of one hash. */
final class KeyHash {
    private static final Hasher64 HASHER = Hashing.komihash5_0(new SplittableRandom().nextLong());

    private KeyHash() {}

    static long of(byte[] storeKey) {
        return HASHER.hashBytesToLong(storeKey);
    }
}
