package io.sluice.contract.usage;

import io.sluice.contract.json.MalformedRecord;

/**
 * The first byte of every binary record: the format in the upper half, what the record is in the lower. JSON never
 * starts with such a byte, so a record that went to the wrong topic is noticed.
 */
final class BinaryKind {
    static final byte SUBJECT_PARTIAL = 0x11;
    static final byte LOAD_PARTIAL = 0x12;
    static final byte POSITION = 0x13;
    static final byte LOAD = 0x14;
    /** A subject's partial with different values. */
    static final byte DISTINCT_PARTIAL = 0x15;
    /** Partials and loads with service times. */
    static final byte TIMED_PARTIAL = 0x16;

    static final byte TIMED_LOAD_PARTIAL = 0x17;
    static final byte TIMED_LOAD = 0x18;
    /** Many records of the usage topic in one. */
    static final byte BUNDLE = 0x19;

    private static final int FORMAT = 1;

    private BinaryKind() {}

    /** The first byte of {@code value}, when it is of the format that this version reads. */
    static byte of(byte[] value, String what) throws MalformedRecord {
        if (value.length == 0) {
            throw new MalformedRecord(what + ": empty");
        }
        int format = (value[0] & 0xff) >> 4;
        if (format != FORMAT) {
            throw new MalformedRecord(what + ": format " + format + ", this version reads " + FORMAT);
        }
        return value[0];
    }
}
