package io.sluice.analyzer.decide;

import java.util.Arrays;
import java.util.List;

/**
 * About how many different subjects a policy saw within its window: HyperLogLog (Flajolet et al., 2007; linear counting
 * while there are few), one sketch for the window's length in progress and one for the one before. 2 × 4 KiB whatever
 * attackers invent; a handful is counted exactly, millions within some percent.
 */
final class ActiveSubjects {
    private static final int BITS = 12;
    private static final int REGISTERS = 1 << BITS;
    private static final double BIAS = 0.7213 / (1 + 1.079 / REGISTERS);

    private final long windowMillis;
    private long period = Long.MIN_VALUE;
    private byte[] current = new byte[REGISTERS];
    private long before;

    ActiveSubjects(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    /** @param time event time of the newest event of the subject's that was counted, epoch milliseconds */
    void seen(List<String> subject, long time) {
        moveTo(time);
        long hash = hash(subject);
        int register = (int) (hash >>> (64 - BITS));
        byte rank = (byte) (1 + Long.numberOfLeadingZeros(hash << BITS | 1L << (BITS - 1)));
        if (rank > current[register]) {
            current[register] = rank;
        }
    }

    /** The greater of the last whole window's count and that of the one in progress. */
    long count(long time) {
        moveTo(time);
        return Math.max(before, estimate(current));
    }

    private void moveTo(long time) {
        long reached = Math.floorDiv(time, windowMillis);
        if (reached <= period) {
            return;
        }
        before = reached == period + 1 ? estimate(current) : 0;
        Arrays.fill(current, (byte) 0);
        period = reached;
    }

    private static long estimate(byte[] registers) {
        double inverse = 0;
        int empty = 0;
        for (byte register : registers) {
            inverse += 1.0 / (1L << register);
            empty += register == 0 ? 1 : 0;
        }
        double raw = BIAS * REGISTERS * REGISTERS / inverse;
        boolean few = raw <= 2.5 * REGISTERS && empty > 0;
        return Math.round(few ? REGISTERS * Math.log((double) REGISTERS / empty) : raw);
    }

    /** FNV-1a over all characters, finished as in MurmurHash3: names alike must land far apart. */
    private static long hash(List<String> subject) {
        long hash = 0xcbf29ce484222325L;
        for (String value : subject) {
            for (int i = 0; i < value.length(); i++) {
                hash = (hash ^ value.charAt(i)) * 0x100000001b3L;
            }
            hash = (hash ^ 0x10000) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }
}
