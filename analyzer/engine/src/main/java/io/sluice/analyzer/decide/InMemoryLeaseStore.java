package io.sluice.analyzer.decide;

import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A store in heap: for a replay, where nothing need outlive the process. */
public final class InMemoryLeaseStore implements LeaseStore {
    private final NavigableMap<byte[], byte[]> values = new TreeMap<>(Arrays::compare);

    @Override
    public byte @Nullable [] read(byte[] key) {
        return values.get(key);
    }

    @Override
    public void write(byte[] key, byte[] value) {
        values.put(key.clone(), value.clone());
    }

    @Override
    public void delete(byte[] key) {
        values.remove(key);
    }

    @Override
    public void forEach(BiConsumer<byte[], byte[]> to) {
        values.forEach((key, value) -> to.accept(key.clone(), value.clone()));
    }
}
