package io.sluice.analyzer.window;

import org.jspecify.annotations.Nullable;

/**
 * Blocks that may be in the store, so that reads of blocks that were never written are avoided: most subjects are new, and a read costs as
 * much as everything else. False positives are possible, false negatives are not.
 *
 * <p>Blocks that begin later than those of earlier epochs were written in this one. They are kept in a blocked Bloom filter (Putze, Sanders
 * and Singler, 2007) with four bits in one word. When the filter is full it is cleared, and its blocks count as an earlier epoch's. The filter
 * takes two mebibytes, which a task that has written few blocks saves: up to {@value BlockSet#MOST} of them are kept in an exact set.
 * Confined to one thread.
 */
final class BlockBloomFilter {
    /** Two mebibytes: sixteen bits for each of a million blocks, eight for each of two million. */
    private static final int WORDS = 1 << 18;

    private static final int FULL = WORDS * Long.SIZE / 8;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private BlockSet few = new BlockSet();
    /** The filter, once there are more than a few. */
    private long @Nullable [] words;

    private int noted;
    private long earlier = Long.MAX_VALUE;
    private long newest = Long.MIN_VALUE;

    /**
     * Begins an epoch.
     *
     * @param newestStart the latest start of a block of earlier epochs, {@link Long#MAX_VALUE} when unknown,
     *     {@link Long#MIN_VALUE} when there were none
     */
    void begin(long newestStart) {
        words = null;
        few = new BlockSet();
        noted = 0;
        earlier = newestStart;
        newest = newestStart == Long.MAX_VALUE ? Long.MIN_VALUE : newestStart;
    }

    void note(long keyHash, long blockStart) {
        newest = Math.max(newest, blockStart);
        if (blockStart <= earlier) {
            return;
        }
        long hash = hash(keyHash, blockStart);
        if (words != null) {
            note(words, hash);
        } else if (!few.add(hash)) {
            long[] all = new long[WORDS];
            few.forEach(each -> note(all, each));
            few = new BlockSet();
            words = all;
            note(all, hash);
        }
    }

    private void note(long[] in, long hash) {
        long bits = bits(hash);
        if ((in[word(hash)] & bits) == bits) {
            // a block is written at each commit in which something happened to it
            return;
        }
        if (noted == FULL) {
            begin(newest);
            return;
        }
        in[word(hash)] |= bits;
        noted++;
    }

    boolean may(long keyHash, long blockStart) {
        if (blockStart <= earlier) {
            return true;
        }
        long hash = hash(keyHash, blockStart);
        if (words == null) {
            return few.contains(hash);
        }
        long bits = bits(hash);
        return (words[word(hash)] & bits) == bits;
    }

    /** Returns the latest start of a block that was ever written, {@link Long#MIN_VALUE} for none. */
    long newest() {
        return newest;
    }

    private static long hash(long keyHash, long blockStart) {
        long mixed = (keyHash ^ blockStart * SPREAD) * SPREAD;
        long hash = (mixed ^ mixed >>> 32) * SPREAD;
        // the set has no 0
        return hash == 0 ? 1 : hash;
    }

    private static int word(long hash) {
        return (int) (hash >>> 46);
    }

    private static long bits(long hash) {
        return 1L << hash | 1L << (hash >>> 8) | 1L << (hash >>> 16) | 1L << (hash >>> 24);
    }
}
