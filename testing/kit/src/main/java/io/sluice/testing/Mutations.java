package io.sluice.testing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Sound records damaged here and there, the same ones for the same seed. Some remain sound. One thread. */
public final class Mutations {
    private static final byte[] TEMPTING = "\"\\[]{}:,-+.eE0189/ tfn\u0000\n".getBytes(StandardCharsets.UTF_8);
    private static final int LONGEST_PIECE = 40;

    private final Random random;

    public Mutations(long seed) {
        random = new Random(seed);
    }

    /** One of them, damaged in one to three places. */
    public byte[] of(List<byte[]> sound) {
        byte[] bytes = sound.get(random.nextInt(sound.size())).clone();
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            bytes = damaged(bytes);
        }
        return bytes;
    }

    private byte[] damaged(byte[] bytes) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(6)) {
            case 0 -> bytes[at] = (byte) random.nextInt();
            case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> bytes[at] = TEMPTING[random.nextInt(TEMPTING.length)];
            case 3 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 4 -> {
                return joined(Arrays.copyOf(bytes, at), piece(bytes, at + random.nextInt(8), bytes.length));
            }
            default -> {
                int from = random.nextInt(bytes.length);
                byte[] again = piece(bytes, from, from + random.nextInt(LONGEST_PIECE));
                return joined(joined(Arrays.copyOf(bytes, at), again), piece(bytes, at, bytes.length));
            }
        }
        return bytes;
    }

    private static byte[] piece(byte[] bytes, int from, int to) {
        int end = Math.min(to, bytes.length);
        return Arrays.copyOfRange(bytes, Math.min(from, end), end);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
