package io.sluice.contract.usage;

import io.sluice.contract.json.MalformedRecord;

/** Reads what {@link Varints} writes, and only that: each number in its shortest form, nothing missing, nothing behind. */
final class VarintReader {
    private static final int LONGEST = 9;

    private final byte[] bytes;
    private int at;

    VarintReader(byte[] bytes, int from) {
        this.bytes = bytes;
        at = from;
    }

    long next(String field) throws MalformedRecord {
        long value = 0;
        for (int i = 0; i < LONGEST; i++) {
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
        throw new MalformedRecord(field + ": larger than 63 bits, at byte " + (at - LONGEST));
    }

    long next(String field, long max) throws MalformedRecord {
        long value = next(field);
        if (value > max) {
            throw new MalformedRecord(field + ": at most " + max + " is expected, before byte " + at);
        }
        return value;
    }

    void end(String what) throws MalformedRecord {
        if (at != bytes.length) {
            throw new MalformedRecord(what + ": something stands behind its end, at byte " + at);
        }
    }
}
