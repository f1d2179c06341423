package io.sluice.analyzer.distinct;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import io.sluice.contract.json.MalformedRecord;
import java.nio.ByteBuffer;

/**
 * A {@link DistinctValues} as bytes: the kind, with a key its fingerprint (4 bytes), then the ascending hashes (8 bytes each, big-endian), or the registers of the
 * sketch. Hashes are spread evenly, so coding their distances would save less than a byte of eight.
 */
final class DistinctCodec {
    private static final byte EXACT = 1;
    private static final byte SKETCH = 2;
    /** Added to the kind where the fingerprint of a key follows it. */
    private static final byte KEYED = 2;

    private static final int REGISTERS = 1 << DistinctValues.PRECISION;

    private DistinctCodec() {}

    static byte[] exact(int key, long[] hashes, int size) {
        byte[] bytes = new byte[headSize(key) + Long.BYTES * size];
        head(bytes, EXACT, key).asLongBuffer().put(hashes, 0, size);
        return bytes;
    }

    static byte[] sketch(int key, UltraLogLog sketch) {
        byte[] bytes = new byte[headSize(key) + REGISTERS];
        head(bytes, SKETCH, key).put(sketch.getState());
        return bytes;
    }

    private static int headSize(int key) {
        return key == 0 ? 1 : 1 + Integer.BYTES;
    }

    private static ByteBuffer head(byte[] bytes, byte kind, int key) {
        ByteBuffer to = ByteBuffer.wrap(bytes);
        return key == 0 ? to.put(kind) : to.put((byte) (kind + KEYED)).putInt(key);
    }

    static DistinctValues decode(byte[] bytes) throws MalformedRecord {
        if (bytes.length == 0) {
            throw new MalformedRecord("distinct values: no bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int kind = in.get();
        int key = 0;
        if (kind > KEYED && in.remaining() >= Integer.BYTES) {
            kind -= KEYED;
            key = in.getInt();
            if (key == 0) {
                throw new MalformedRecord("distinct values: the fingerprint of a key is 0");
            }
        }
        return switch (kind) {
            case EXACT -> exact(key, in);
            case SKETCH -> sketch(key, in);
            default ->
                throw new MalformedRecord("distinct values: a kind of " + bytes[0] + ", allowed are " + EXACT + " and "
                        + SKETCH + ", with a key " + (EXACT + KEYED) + " and " + (SKETCH + KEYED));
        };
    }

    private static DistinctValues exact(int key, ByteBuffer in) throws MalformedRecord {
        int size = in.remaining() / Long.BYTES;
        if (in.remaining() != Long.BYTES * size || size > DistinctValues.MOST_EXACT) {
            throw new MalformedRecord("distinct values: " + in.remaining()
                    + " bytes of hashes, allowed are 8 for each of at most " + DistinctValues.MOST_EXACT);
        }
        long[] hashes = new long[size];
        in.asLongBuffer().get(hashes);
        for (int i = 1; i < size; i++) {
            if (hashes[i - 1] >= hashes[i]) {
                throw new MalformedRecord("distinct values: hash " + i + " is not above the one before");
            }
        }
        return DistinctValues.of(key, hashes);
    }

    private static DistinctValues sketch(int key, ByteBuffer in) throws MalformedRecord {
        if (in.remaining() != REGISTERS) {
            throw new MalformedRecord("distinct values: a sketch of " + in.remaining() + " bytes, not " + REGISTERS);
        }
        byte[] registers = new byte[REGISTERS];
        in.get(registers);
        boolean empty = true;
        for (int i = 0; i < REGISTERS; i++) {
            if (!possible(registers[i] & 0xff)) {
                throw new MalformedRecord("distinct values: register " + i + " holds what no value leaves there");
            }
            empty &= registers[i] == 0;
        }
        if (empty) {
            throw new MalformedRecord("distinct values: a sketch of nothing");
        }
        return DistinctValues.of(key, UltraLogLog.wrap(registers));
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
