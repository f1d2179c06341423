package io.sluice.benchmarks.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sluice.benchmarks.workload.Zipf;
import java.util.Random;

/**
 * Who asks, the same for every contender: 100,000 callers by Zipf's law with an exponent of 1.1. A caller's place in
 * memory says nothing of its rank.
 */
final class Callers {
    /** Callers with requests. */
    static final int ASKING = 100_000;

    /** Locked callers; none of them sends a request. */
    static final int LOCKED = 1_000_000;

    static final double EXPONENT = 1.1;
    private static final long SEED = 20251121;
    // a power of two; large enough that no cache learns the sequence
    private static final int DRAWS = 1 << 20;

    /** Bytes of a request as it comes in: the length of the caller's name, and the name. A power of two. */
    static final int FRAME = 16;

    private Callers() {}

    /** The first 100,000 send requests, the locked callers come after them. */
    static String name(int number) {
        return "caller-" + number;
    }

    static String[] asking() {
        String[] names = new String[ASKING];
        for (int i = 0; i < ASKING; i++) {
            names[i] = name(i);
        }
        return names;
    }

    /** The callers of successive requests; its length is a power of two. */
    static int[] draws() {
        int[] byRank = shuffled();
        Zipf zipf = new Zipf(ASKING, EXPONENT);
        Random random = new Random(SEED);
        int[] draws = new int[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            draws[i] = byRank[zipf.next(random)];
        }
        return draws;
    }

    /** Requests as they come in, one after the other. */
    static byte[] received(String[] names) {
        int[] draws = draws();
        byte[] received = new byte[draws.length * FRAME];
        for (int i = 0; i < draws.length; i++) {
            byte[] name = names[draws[i]].getBytes(ISO_8859_1);
            received[i * FRAME] = (byte) name.length;
            System.arraycopy(name, 0, received, i * FRAME + 1, name.length);
        }
        return received;
    }

    private static int[] shuffled() {
        Random random = new Random(SEED + 1);
        int[] numbers = new int[ASKING];
        for (int i = 0; i < ASKING; i++) {
            int other = random.nextInt(i + 1);
            numbers[i] = numbers[other];
            numbers[other] = i;
        }
        return numbers;
    }
}
