package io.sluice.analyzer.window;

import io.sluice.contract.json.MalformedRecord;
import java.io.ByteArrayOutputStream;

/** Whole numbers in as few bytes as they need, seven bits a byte, lowest first (LEB128). */
final class Varints {
    private static final int LONGEST = 9;

    private final byte[] bytes;
    private int at;

    Varints(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @param value not negative */
    static void write(ByteArrayOutputStream out, long value) {
        long left = value;
        while (left > 0x7f) {
            out.write((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    /** @throws MalformedRecord when the bytes end too early, or for more than 63 bits */
    long read(String field) throws MalformedRecord {
        long value = 0;
        for (int i = 0; i < LONGEST; i++) {
            if (at == bytes.length) {
                throw new MalformedRecord(field + ": ends at byte " + at);
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedRecord(field + ": longer than 63 bits at byte " + at);
    }

    /** @throws MalformedRecord when the number is greater than {@code most} */
    long read(String field, long most) throws MalformedRecord {
        long value = read(field);
        if (value > most) {
            throw new MalformedRecord(field + ": greater than " + most + " at byte " + at);
        }
        return value;
    }

    void end() throws MalformedRecord {
        if (at != bytes.length) {
            throw new MalformedRecord("block: " + (bytes.length - at) + " bytes too many");
        }
    }
}
