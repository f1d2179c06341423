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
    private final Map<Retention, NavigableMap<Long, Map<ByteBuffer, byte[]>>> blocks = new EnumMap<>(Retention.class);

    @Override
    public byte @Nullable [] read(Retention retention, byte[] key, long blockStart) {
        Map<ByteBuffer, byte[]> sameStart = of(retention).get(blockStart);
        return sameStart == null ? null : sameStart.get(ByteBuffer.wrap(key));
    }

    @Override
    public void write(Retention retention, byte[] key, long blockStart, byte[] block) {
        NavigableMap<Long, Map<ByteBuffer, byte[]>> byStart = of(retention);
        byStart.computeIfAbsent(blockStart, any -> new HashMap<>()).put(ByteBuffer.wrap(key), block);
        byStart.headMap(byStart.lastKey() - retention.millis()).clear();
    }

    private NavigableMap<Long, Map<ByteBuffer, byte[]>> of(Retention retention) {
        return blocks.computeIfAbsent(retention, any -> new TreeMap<>());
    }
}
