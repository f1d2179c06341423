package io.sluice.analyzer.window;

import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Blocks in heap, dropped when their retention has passed: for a replay, where nothing need outlive the process. */
public final class InMemoryWindowStore implements WindowStore {
    // the objects of an entry without their bytes
    private static final long ENTRY_BYTES = 120;

    private final Map<Retention, NavigableMap<Long, Map<ByteBuffer, byte[]>>> blocks = new EnumMap<>(Retention.class);
    private long bytes;

    @Override
    public byte @Nullable [] read(Retention retention, byte[] key, long blockStart) {
        Map<ByteBuffer, byte[]> sameStart = of(retention).get(blockStart);
        return sameStart == null ? null : sameStart.get(ByteBuffer.wrap(key));
    }

    @Override
    public void write(Retention retention, byte[] key, long blockStart, byte[] block) {
        NavigableMap<Long, Map<ByteBuffer, byte[]>> byStart = of(retention);
        byte[] before =
                byStart.computeIfAbsent(blockStart, any -> new HashMap<>()).put(ByteBuffer.wrap(key), block);
        bytes += before == null ? ENTRY_BYTES + key.length + block.length : block.length - before.length;
        NavigableMap<Long, Map<ByteBuffer, byte[]>> past =
                byStart.headMap(byStart.lastKey() - retention.millis(), false);
        past.values()
                .forEach(same -> same.forEach((its, value) -> bytes -= ENTRY_BYTES + its.remaining() + value.length));
        past.clear();
    }

    /** Returns an estimate of the heap that its blocks take, in bytes. */
    public long bytes() {
        return bytes;
    }

    private NavigableMap<Long, Map<ByteBuffer, byte[]>> of(Retention retention) {
        return blocks.computeIfAbsent(retention, any -> new TreeMap<>());
    }
}
