package io.sluice.contract.usage;

import java.util.Arrays;

/**
 * Different values of an attribute, in the encoding of the analyzer, carried as they are.
 *
 * @param bytes not modified by any holder
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content, below
public record Values(byte[] bytes) {
    /** The most bytes of one record's values. */
    public static final int MAX_BYTES = 8192;

    /** No values: the policy does not count different ones. */
    public static final Values NONE = new Values(new byte[0]);

    /** @throws IllegalArgumentException when there are too many bytes */
    public Values {
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("values must be at most " + MAX_BYTES + " bytes");
        }
    }

    /** Returns whether there are none. */
    public boolean none() {
        return bytes.length == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Values values && Arrays.equals(bytes, values.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Values[" + bytes.length + " bytes]";
    }
}
