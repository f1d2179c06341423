package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** What many stores of one process take together, on real RocksDB. */
class BoundedRocksMemoryTest {
    private static final long BYTES = 128L << 20;
    private static final int STORES = 192;

    @TempDir
    Path directory;

    private final BoundedRocksMemory setter = new BoundedRocksMemory();
    private final List<Options> options = new ArrayList<>();
    private final List<RocksDB> stores = new ArrayList<>();

    @AfterEach
    void close() {
        stores.forEach(RocksDB::close);
        options.forEach(Options::close);
    }

    private void open() throws RocksDBException {
        for (int store = 0; store < STORES; store++) {
            Options of = options("store-" + store);
            options.add(of);
            stores.add(RocksDB.open(of, directory.resolve("store-" + store).toString()));
        }
    }

    private Options options(String store) {
        Options of = new Options().setCreateIfMissing(true);
        of.setTableFormatConfig(new BlockBasedTableConfig());
        setter.setConfig(store, of, Map.of(BoundedRocksMemory.BYTES, BYTES));
        return of;
    }

    private long sum(String property) throws RocksDBException {
        long sum = 0;
        for (RocksDB store : stores) {
            sum += store.getLongProperty(property);
        }
        return sum;
    }

    @Test
    void arenaBlocksOfAThousandStores_fitIntoTheWriteBuffers() {
        RocksDB.loadLibrary();
        try (Options of = options("store")) {
            assertThat(1000 * of.arenaBlockSize()).isLessThanOrEqualTo(BYTES / 2);
        }
    }

    @Tag("full")
    @Test
    void manyStores_writtenFarBeyondTheSetting_stayWithinIt() throws RocksDBException {
        open();
        byte[] value = new byte[16 << 10];
        byte[] key = new byte[4];

        for (int n = 0; n < 64; n++) {
            key[0] = (byte) n;
            for (RocksDB store : stores) {
                store.put(key, value);
            }
            // a disk may be slower than this loop
            await().until(() -> sum("rocksdb.num-immutable-mem-table") == 0);
            assertThat(sum("rocksdb.cur-size-all-mem-tables")).isLessThan(BYTES);
        }
    }
}
