package io.sluice.analyzer.window;

import java.util.Arrays;

/**
 * Which blocks may stand in the store, so that what was never written is not looked for there: most subjects are new, and a
 * look costs as much as all else that is done with them. It may say yes of what is not there, never no of what is.
 *
 * <p>Blocks that begin later than all that earlier lives wrote can only have been written in this one. Those are noted in a
 * Bloom filter whose four bits lie in one word. When it is full it is emptied, and what it stood for counts as an earlier
 * life's. One thread.
 */
final class BlockBloomFilter {
    /** Two mebibytes: sixteen bits for each of a million blocks, eight for each of two million. */
    private static final int WORDS = 1 << 18;

    private static final int FULL = WORDS * Long.SIZE / 8;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final long[] words = new long[WORDS];
    private int noted;
    private long earlier = Long.MAX_VALUE;
    private long newest = Long.MIN_VALUE;

    /**
     * Begins a life.
     *
     * @param newestStart the latest start of a block that earlier lives wrote, {@link Long#MAX_VALUE} when nobody knows,
     *     {@link Long#MIN_VALUE} when there were none
     */
    void begin(long newestStart) {
        Arrays.fill(words, 0);
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
        long bits = bits(hash);
        if ((words[word(hash)] & bits) == bits) {
            // a block is written at each commit in which something happened to it
            return;
        }
        if (noted == FULL) {
            begin(newest);
            return;
        }
        words[word(hash)] |= bits;
        noted++;
    }

    boolean may(long keyHash, long blockStart) {
        if (blockStart <= earlier) {
            return true;
        }
        long hash = hash(keyHash, blockStart);
        long bits = bits(hash);
        return (words[word(hash)] & bits) == bits;
    }

    /** The latest start of a block that was ever written, {@link Long#MIN_VALUE} for none. */
    long newest() {
        return newest;
    }

    private static long hash(long keyHash, long blockStart) {
        long mixed = (keyHash ^ blockStart * SPREAD) * SPREAD;
        return (mixed ^ mixed >>> 32) * SPREAD;
    }

    private static int word(long hash) {
        return (int) (hash >>> 46);
    }

    private static long bits(long hash) {
        return 1L << hash | 1L << (hash >>> 8) | 1L << (hash >>> 16) | 1L << (hash >>> 24);
    }
}
