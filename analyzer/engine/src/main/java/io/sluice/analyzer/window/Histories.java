package io.sluice.analyzer.window;

import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.UsageKey;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Histories of one kind: recently used ones in heap, written behind to the store with the longest retention. A history is stored under the
 * day of its newest event, so that it expires with its segment: it is found when that day is today or yesterday, and expires after one to
 * two days without events. Confined to one thread.
 */
public final class Histories<H extends History> {
    private static final long DAY = 24 * 3_600_000L;

    private final WindowStore store;
    private final byte prefix;
    private final Codec<H> codec;
    private final GenerationalCache<Entry<H>> hot;
    private final DirtyList<Entry<H>> dirty = new DirtyList<>();

    /** Decodes histories of one kind. */
    public interface Codec<H extends History> {
        H decode(byte[] bytes) throws MalformedRecord;
    }

    /**
     * @param prefix separates the keys of this kind from all others over the same store
     * @param budget decides how many histories are held in heap; the others are read from the store when they are needed
     */
    public Histories(WindowStore store, char prefix, TaskBudget budget, Codec<H> codec) {
        this.store = store;
        this.prefix = (byte) prefix;
        this.codec = codec;
        hot = new GenerationalCache<>(budget, Account.HISTORIES, this::write);
    }

    /**
     * Returns the history of a subject, or {@code null} when there is none.
     *
     * @param time of the newest event, epoch milliseconds
     */
    public @Nullable H find(UsageKey key, long time) {
        return entry(key, time).history;
    }

    /** Returns the same, which is kept as long as if something had changed. It is written once a day. */
    public @Nullable H keep(UsageKey key, long time) {
        Entry<H> entry = entry(key, time);
        H history = entry.history;
        if (history != null && day(time) > day(entry.newest)) {
            change(key, time, () -> history);
        }
        return history;
    }

    /** Returns the history of a subject for a change; {@code fresh} when there is none. */
    public H change(UsageKey key, long time, Supplier<H> fresh) {
        Entry<H> entry = entry(key, time);
        H history = entry.history;
        if (history == null) {
            history = fresh.get();
            entry.history = history;
        }
        entry.newest = Math.max(entry.newest, time);
        if (!entry.dirty) {
            dirty.add(entry);
        }
        return history;
    }

    /** Writes what has changed since the last flush. */
    public void flush() {
        dirty.drain(this::write);
    }

    /** Discards all state in heap. */
    public void discard() {
        hot.clear();
        dirty.clear();
    }

    private Entry<H> entry(UsageKey key, long time) {
        Entry<H> entry = hot.find(StoreKeys.of(prefix, key), storeKey -> {
            Entry<H> cold = new Entry<>(storeKey);
            Found<H> found = read(store, cold.storeKey, day(time), codec);
            if (found != null) {
                cold.history = found.history;
                // a late event must not write it under an earlier day, where it would be found after this one
                cold.newest = found.day;
            }
            cold.counted = cold.measured();
            return cold;
        });
        // what a history has grown by since it was asked for last
        long bytes = entry.measured();
        hot.grew(bytes - entry.counted);
        entry.counted = bytes;
        return entry;
    }

    /**
     * Reads a history as it was last flushed; {@code null} when there is none. Touches nothing that is in heap, so any thread may call it.
     *
     * @param time not before the newest event, epoch milliseconds
     */
    public static <H extends History> @Nullable H stored(
            WindowStore store, char prefix, Codec<H> codec, UsageKey key, long time) {
        Found<H> found = read(store, StoreKeys.of((byte) prefix, key), day(time), codec);
        return found == null ? null : found.history;
    }

    private static <H extends History> @Nullable Found<H> read(
            WindowStore store, byte[] storeKey, long day, Codec<H> codec) {
        // the next day first: a late event must not find what was written before midnight
        for (long start = day + DAY; start >= day - DAY; start -= DAY) {
            byte[] stored = store.read(Retention.LONG, storeKey, start);
            if (stored != null) {
                try {
                    return new Found<>(codec.decode(stored), start);
                } catch (MalformedRecord e) {
                    // an earlier version's: what is usual is learnt anew
                    store.unreadable();
                    return null;
                }
            }
        }
        return null;
    }

    private void write(Entry<H> entry) {
        H history = entry.history;
        if (entry.dirty && history != null) {
            store.write(Retention.LONG, entry.storeKey, day(entry.newest), history.encode());
            entry.dirty = false;
        }
    }

    private static long day(long time) {
        return Math.floorDiv(time, DAY) * DAY;
    }

    /** @param day under which it is stored */
    private record Found<H extends History>(H history, long day) {}

    private static final class Entry<H extends History> extends Held {
        /** The entry, its slot in a table, and the header of its key, in bytes. */
        private static final long EMPTY_BYTES = 88;

        /** The size that the budget was charged, in bytes. */
        long counted;

        @Nullable
        H history;

        long newest = Long.MIN_VALUE;

        Entry(byte[] storeKey) {
            super(storeKey);
        }

        long measured() {
            H known = history;
            return EMPTY_BYTES + storeKey.length + (known == null ? 0 : known.bytes());
        }

        @Override
        long bytes() {
            return counted;
        }
    }
}
