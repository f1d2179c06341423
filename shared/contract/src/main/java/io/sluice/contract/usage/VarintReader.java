package io.sluice.contract.usage;

import io.sluice.contract.json.MalformedRecord;
import java.util.Arrays;

/** Reads what {@link Varints} writes, and only that: each number in its shortest form, nothing missing, nothing behind. One thread. */
public final class VarintReader {
    private final byte[] bytes;
    private int at;

    /** @param from the place of the first number */
    public VarintReader(byte[] bytes, int from) {
        this.bytes = bytes;
        at = from;
    }

    /**
     * The next number, 0 or more.
     *
     * @param field what it is, for the error
     * @throws MalformedRecord when it is cut off, longer than 63 bits or not in its shortest form
     */
    public long next(String field) throws MalformedRecord {
        long value = 0;
        for (int i = 0; i < Varints.LONGEST; i++) {
            if (at >= bytes.length) {
                throw new MalformedRecord(field + ": ends too early, at byte " + at);
            }
            byte b = bytes[at++];
            value |= (b & 0x7fL) << (7 * i);
            if (b >= 0) {
                if (b == 0 && i > 0) {
                    throw new MalformedRecord(field + ": not in its shortest form, at byte " + (at - 1));
                }
                return value;
            }
        }
        throw new MalformedRecord(field + ": larger than 63 bits, at byte " + (at - Varints.LONGEST));
    }

    /**
     * The next number, 0 to {@code max}.
     *
     * @throws MalformedRecord also when it is greater
     */
    public long next(String field, long max) throws MalformedRecord {
        long value = next(field);
        if (value > max) {
            throw new MalformedRecord(field + ": at most " + max + " is expected, before byte " + at);
        }
        return value;
    }

    /**
     * The next number, 1 or more: one that is written only when it is not 0.
     *
     * @throws MalformedRecord also when it is 0
     */
    public long positive(String field) throws MalformedRecord {
        long value = next(field);
        if (value == 0) {
            throw new MalformedRecord(field + ": more than 0 is expected, before byte " + at);
        }
        return value;
    }

    /**
     * All bytes that are left.
     *
     * @throws MalformedRecord when there are none, or more than {@code most}
     */
    public byte[] rest(String field, int most) throws MalformedRecord {
        int length = bytes.length - at;
        if (length < 1 || length > most) {
            throw new MalformedRecord(field + ": 1 to " + most + " bytes are expected, from byte " + at);
        }
        byte[] rest = Arrays.copyOfRange(bytes, at, bytes.length);
        at = bytes.length;
        return rest;
    }

    /**
     * The next bytes, as many as the number before them.
     *
     * @throws MalformedRecord when there are fewer, or more than {@code most}
     */
    public byte[] block(String field, int most) throws MalformedRecord {
        int length = (int) next(field, Math.min(most, bytes.length - at));
        if (length > bytes.length - at) {
            throw new MalformedRecord(field + ": ends too early, at byte " + bytes.length);
        }
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    /** Returns whether anything follows. */
    boolean more() {
        return at < bytes.length;
    }

    /** @throws MalformedRecord when something follows the last number */
    public void end(String what) throws MalformedRecord {
        if (at != bytes.length) {
            throw new MalformedRecord(what + ": something stands behind its end, at byte " + at);
        }
    }
}
