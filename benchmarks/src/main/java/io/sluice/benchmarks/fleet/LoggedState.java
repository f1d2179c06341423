package io.sluice.benchmarks.fleet;

import io.sluice.analyzer.decide.InMemoryLeaseStore;
import io.sluice.analyzer.decide.LeaseStore;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.analyzer.window.Retention;
import io.sluice.analyzer.window.WindowStore;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** State of a decide task in heap. Each write goes to a changelog, with the key that Kafka Streams gives it. Not thread-safe. */
final class LoggedState {
    /** A window store's key ends with the time of the block and a sequence number. */
    private static final int TIME_AND_SEQUENCE = Long.BYTES + Integer.BYTES;

    private final Log log;

    /** Takes the records of the changelogs. */
    interface Log {
        void write(byte[] key, byte @Nullable [] value);
    }

    LoggedState(Log log) {
        this.log = log;
    }

    WindowStore windows() {
        WindowStore stored = new InMemoryWindowStore();
        return new WindowStore() {
            @Override
            public byte @Nullable [] read(Retention retention, byte[] key, long blockStart) {
                return stored.read(retention, key, blockStart);
            }

            @Override
            public void write(Retention retention, byte[] key, long blockStart, byte[] block) {
                stored.write(retention, key, blockStart, block);
                log.write(
                        ByteBuffer.allocate(key.length + TIME_AND_SEQUENCE)
                                .put(key)
                                .putLong(blockStart)
                                .array(),
                        block);
            }
        };
    }

    LeaseStore leases() {
        LeaseStore stored = new InMemoryLeaseStore();
        return new LeaseStore() {
            @Override
            public byte @Nullable [] read(byte[] key) {
                return stored.read(key);
            }

            @Override
            public void write(byte[] key, byte[] value) {
                stored.write(key, value);
                log.write(key, value);
            }

            @Override
            public void delete(byte[] key) {
                stored.delete(key);
                log.write(key, null);
            }

            @Override
            public void forEach(BiConsumer<byte[], byte[]> to) {
                stored.forEach(to);
            }
        };
    }
}
