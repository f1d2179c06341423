package io.sluice.analyzer.distinct;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import io.sluice.contract.json.MalformedRecord;
import java.nio.ByteBuffer;

/**
 * A {@link DistinctValues} as bytes: the kind, then the ascending hashes (8 bytes each, big-endian), or the registers of the
 * sketch. Hashes are spread evenly, so coding their distances would save less than a byte of eight.
 */
final class DistinctCodec {
    private static final byte EXACT = 1;
    private static final byte SKETCH = 2;
    private static final int REGISTERS = 1 << DistinctValues.PRECISION;

    private DistinctCodec() {}

    static byte[] exact(long[] hashes, int size) {
        ByteBuffer to = ByteBuffer.allocate(1 + Long.BYTES * size).put(EXACT);
        to.asLongBuffer().put(hashes, 0, size);
        return to.array();
    }

    static byte[] sketch(UltraLogLog sketch) {
        return ByteBuffer.allocate(1 + REGISTERS)
                .put(SKETCH)
                .put(sketch.getState())
                .array();
    }

    static DistinctValues decode(byte[] bytes) throws MalformedRecord {
        if (bytes.length == 0) {
            throw new MalformedRecord("distinct values: no bytes");
        }
        return switch (bytes[0]) {
            case EXACT -> exact(bytes);
            case SKETCH -> sketch(bytes);
            default -> throw new MalformedRecord("distinct values: neither of kind " + EXACT + " nor " + SKETCH);
        };
    }

    private static DistinctValues exact(byte[] bytes) throws MalformedRecord {
        int size = (bytes.length - 1) / Long.BYTES;
        if (bytes.length != 1 + Long.BYTES * size || size > DistinctValues.MOST_EXACT) {
            throw new MalformedRecord("distinct values: " + bytes.length
                    + " bytes, allowed are 1 + 8 for each of at most " + DistinctValues.MOST_EXACT + " hashes");
        }
        long[] hashes = new long[size];
        ByteBuffer.wrap(bytes, 1, bytes.length - 1).asLongBuffer().get(hashes);
        for (int i = 1; i < size; i++) {
            if (hashes[i - 1] >= hashes[i]) {
                throw new MalformedRecord("distinct values: hash " + i + " is not above the one before");
            }
        }
        return DistinctValues.of(hashes);
    }

    private static DistinctValues sketch(byte[] bytes) throws MalformedRecord {
        if (bytes.length != 1 + REGISTERS) {
            throw new MalformedRecord(
                    "distinct values: a sketch of " + bytes.length + " bytes, not " + (1 + REGISTERS));
        }
        byte[] registers = new byte[REGISTERS];
        boolean empty = true;
        for (int i = 0; i < REGISTERS; i++) {
            registers[i] = bytes[1 + i];
            if (!possible(registers[i] & 0xff)) {
                throw new MalformedRecord("distinct values: register " + i + " holds what no value leaves there");
            }
            empty &= registers[i] == 0;
        }
        if (empty) {
            throw new MalformedRecord("distinct values: a sketch of nothing");
        }
        return DistinctValues.of(UltraLogLog.wrap(registers));
    }

    /**
     * A register that was hit holds 4u + b: u, 11 to 63, is the highest rank seen, and the two bits b are set if u − 1 and u − 2
     * were seen as well. There is no rank below 11.
     */
    private static boolean possible(int register) {
        int lowest = DistinctValues.PRECISION - 1;
        int below = register & 3;
        return switch ((register >>> 2) - lowest) {
            case 0 -> below == 0;
            case 1 -> (below & 1) == 0;
            default -> register == 0 || register >>> 2 > lowest;
        };
    }
}
