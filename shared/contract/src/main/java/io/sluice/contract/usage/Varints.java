package io.sluice.contract.usage;

/**
 * Numbers of 0 or more in seven bits a byte, lowest first, the eighth bit set where more follow (LEB128). {@link
 * VarintReader} reads them.
 */
public final class Varints {
    /** The most bytes that a number takes. */
    public static final int LONGEST = 9;

    private Varints() {}

    /** How many bytes {@code value} takes. */
    public static int size(long value) {
        return (63 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1;
    }

    /** Writes {@code value} at {@code at} and returns the place behind it. */
    public static int put(byte[] to, int at, long value) {
        int next = at;
        long rest = value;
        while (rest > 0x7f) {
            to[next++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        to[next++] = (byte) rest;
        return next;
    }
}
