package io.sluice.analyzer.topology;

import io.sluice.analyzer.decide.LeaseStore;
import io.sluice.contract.json.PrintableText;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leases in a store with a changelog. */
final class LoggedLeases implements LeaseStore {
    private static final Logger log = LoggerFactory.getLogger(LoggedLeases.class);

    /** Unreadable records of a task that are named in the log: after a change of the format it may be all of them. */
    private static final int MOST_NAMED = 10;

    private final String task;
    private final KeyValueStore<Bytes, byte[]> store;
    private int unreadable;

    /** @param task for messages */
    LoggedLeases(String task, KeyValueStore<Bytes, byte[]> store) {
        this.task = task;
        this.store = store;
    }

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

    @Override
    public void unreadable(byte[] key) {
        if (unreadable++ < MOST_NAMED) {
            log.warn("{}", line(task, key));
        }
    }

    static String line(String task, byte[] key) {
        return task + ": store " + Names.LEASES + ": the record with the key "
                + PrintableText.of(new String(key, StandardCharsets.UTF_8))
                + " can't be read and is passed over; sluice_state_unreadable_total counts all of them";
    }
}
