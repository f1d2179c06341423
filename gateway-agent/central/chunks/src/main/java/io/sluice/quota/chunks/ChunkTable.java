package io.sluice.quota.chunks;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Chunks by limit and subject, bounded in number. Thread-safe. */
final class ChunkTable {
    private final ConcurrentMap<Key, Chunk> chunks = new ConcurrentHashMap<>();
    private final LongAdder beyond = new LongAdder();
    private final int most;
    private final long aheadNanos;

    ChunkTable(int most, long aheadNanos) {
        this.most = most;
        this.aheadNanos = aheadNanos;
    }

    private record Key(QuotaLimit limit, String subject) {
        static Key of(QuotaCharge charge) {
            return new Key(charge.limit(), charge.subject());
        }
    }

    /** Returns the chunk of a charge, a new one if there is room; null when there is none. */
    @Nullable
    Chunk of(QuotaCharge charge, long now) {
        Key key = Key.of(charge);
        Chunk chunk = chunks.get(key);
        // a race may exceed the bound by the number of threads
        return chunk != null || chunks.size() >= most
                ? chunk
                : chunks.computeIfAbsent(key, absent -> new Chunk(charge, aheadNanos, now));
    }

    @Nullable
    Chunk existing(QuotaCharge charge) {
        return chunks.get(Key.of(charge));
    }

    void remove(Chunk chunk) {
        chunks.remove(Key.of(chunk.charge(0)), chunk);
    }

    Collection<Chunk> all() {
        return chunks.values();
    }

    int size() {
        return chunks.size();
    }

    /** Counts a request for which there was no room. */
    void countBeyond() {
        beyond.increment();
    }

    long beyond() {
        return beyond.sum();
    }
}
