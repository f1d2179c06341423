package io.sluice.analyzer.topology;

import io.sluice.analyzer.decide.LeaseStore;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Leases in a store with a changelog. */
record LoggedLeases(KeyValueStore<Bytes, byte[]> store) implements LeaseStore {

    @Override
    public byte @Nullable [] read(byte[] key) {
        return store.get(Bytes.wrap(key));
    }

    @Override
    public void write(byte[] key, byte[] value) {
        store.put(Bytes.wrap(key), value);
    }

    @Override
    public void delete(byte[] key) {
        store.delete(Bytes.wrap(key));
    }

    @Override
    public void forEach(BiConsumer<byte[], byte[]> action) {
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            while (all.hasNext()) {
                KeyValue<Bytes, byte[]> entry = all.next();
                action.accept(entry.key.get(), entry.value);
            }
        }
    }
}
