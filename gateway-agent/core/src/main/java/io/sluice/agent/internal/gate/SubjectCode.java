package io.sluice.agent.internal.gate;

import java.security.SecureRandom;

/**
 * Encodes a subject as two longs that its entry contains, so that comparing it needs no further memory access. A text of up to 17 ASCII
 * characters is encoded completely, in 7 bits per character. Other subjects are encoded as a hash and compared by name.
 *
 * <p>Hashes are folded products with secret factors, as in wyhash, so that clients cannot produce collisions.
 */
final class SubjectCode {
    private static final int BITS = 7;
    private static final int HEAD = 9;
    private static final int MOST = 17;
    private static final int LENGTH_AT = 56;
    private static final long ASCII = (1 << BITS) - 1;
    private static final long[] SECRETS = new SecureRandom().longs(3).toArray();
    private static final long FIRST = SECRETS[0] | 1;
    private static final long SECOND = SECRETS[1] | 1;
    private static final long THIRD = SECRETS[2] | 1;

    private SubjectCode() {}

    /** Returns the first characters, negative when the text cannot be encoded. */
    static long head(String text) {
        return packed(text, 0, Math.min(HEAD, text.length()));
    }

    /** Returns the other characters and the length, negative when the text cannot be encoded. */
    static long tail(String text) {
        int length = text.length();
        if (length > MOST) {
            return -1;
        }
        return packed(text, HEAD, length) | (long) length << LENGTH_AT;
    }

    private static long packed(String text, int from, int to) {
        long code = 0;
        int seen = 0;
        int shift = 0;
        for (int i = from; i < to; i++) {
            int character = text.charAt(i);
            seen |= character;
            code |= (long) character << shift;
            shift += BITS;
        }
        return seen > ASCII ? -1 : code;
    }

    /** Decodes a text. */
    static String text(long head, long tail) {
        char[] text = new char[(int) (tail >>> LENGTH_AT)];
        for (int i = 0; i < text.length; i++) {
            long from = i < HEAD ? head >>> (i * BITS) : tail >>> ((i - HEAD) * BITS);
            text[i] = (char) (from & ASCII);
        }
        return new String(text);
    }

    /** Spreads codes evenly over 64 bits. */
    static long hash(long head, long tail) {
        return folded(head ^ FIRST, tail ^ SECOND);
    }

    /** Hashes a text, four characters per step. */
    static long hash(String text) {
        int length = text.length();
        long hash = length ^ THIRD;
        int at = 0;
        for (; at + 4 <= length; at += 4) {
            long four = text.charAt(at)
                    | (long) text.charAt(at + 1) << 16
                    | (long) text.charAt(at + 2) << 32
                    | (long) text.charAt(at + 3) << 48;
            hash = folded(hash ^ four, FIRST);
        }
        long rest = 0;
        for (; at < length; at++) {
            rest = rest << 16 | text.charAt(at);
        }
        return folded(hash ^ rest, SECOND);
    }

    private static long folded(long a, long b) {
        return Math.multiplyHigh(a, b) ^ a * b;
    }
}
