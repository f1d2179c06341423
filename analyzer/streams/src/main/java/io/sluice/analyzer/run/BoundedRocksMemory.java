package io.sluice.analyzer.run;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * One block cache for all stores of this process, with write buffers, indexes and filters charged to it. By default every
 * segment of every store has a cache and buffers of its own, and nothing bounds their sum. The limit is not strict: a
 * strict one makes reads fail. Public because Kafka Streams makes it by its name.
 */
public final class BoundedRocksMemory implements RocksDBConfigSetter {
    /** The setting with the bytes that all stores together may use. */
    static final String BYTES = "sluice.rocksdb.bytes";

    private static final long BLOCK_BYTES = 16 * 1024;

    /** One being written and one being flushed: with more, a store that is written fast holds several times its part. */
    private static final int BUFFERS = 2;

    /** A write buffer grows by such a part of all memory, so that a thousand of them that hold little fit into half of it. */
    private static final int ARENA_PARTS = 2048;

    private static final long LEAST_ARENA_BYTES = 16 * 1024;

    private static @Nullable Shared shared;

    private record Shared(Cache cache, WriteBufferManager buffers, long bytes) {}

    /** Loads the native library in a thread of its own: it takes a fifth of a second, which a start waits for brokers anyway. */
    static void preload() {
        // should it fail, the first store reports why
        Thread thread = new Thread(RocksDB::loadLibrary, "sluice-preload");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((failed, cause) -> {});
        thread.start();
    }

    private static synchronized Shared shared(long bytes) {
        Shared existing = shared;
        if (existing == null) {
            RocksDB.loadLibrary();
            Cache cache = new LRUCache(bytes, -1, false, 0.1);
            existing = new Shared(cache, new WriteBufferManager(bytes / 2, cache), bytes);
            shared = existing;
        }
        return existing;
    }

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        Shared all = shared(Long.parseLong(String.valueOf(configs.get(BYTES))));
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(all.cache);
        table.setBlockSize(BLOCK_BYTES);
        table.setCacheIndexAndFilterBlocks(true);
        table.setCacheIndexAndFilterBlocksWithHighPriority(true);
        table.setPinTopLevelIndexAndFilter(true);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(all.buffers);
        options.setMaxWriteBufferNumber(BUFFERS);
        options.setWriteBufferSize(Math.max(1 << 20, all.bytes / 16));
        // by default an eighth of the write buffer, which every store that was ever written takes at once
        options.setArenaBlockSize(Math.max(LEAST_ARENA_BYTES, all.bytes / ARENA_PARTS));
    }

    @Override
    public void close(String storeName, Options options) {
        // cache and write buffers belong to all stores
    }
}
