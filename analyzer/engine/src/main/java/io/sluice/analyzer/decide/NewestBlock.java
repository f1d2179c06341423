package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.contract.key.CompositeKey;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The start of the newest block of panes that a task has written, so that its next life knows what it need not look for. It
 * is stored at a commit, beside the blocks that it is about: where it is lost, so are they.
 */
final class NewestBlock {
    private static final byte[] KEY = CompositeKey.bytes(List.of("$newest-block"));

    private final LeaseStore store;
    private long stored = Long.MIN_VALUE;

    NewestBlock(LeaseStore store) {
        this.store = store;
    }

    /**
     * State of the last epoch.
     *
     * @param firstLife whether there was none
     * @return epoch milliseconds; {@link Long#MIN_VALUE} when no block was written, {@link Long#MAX_VALUE} when unknown
     */
    long begin(boolean firstLife, Counts counts) {
        byte[] bytes = store.read(KEY);
        if (bytes != null && bytes.length == Long.BYTES) {
            stored = ByteBuffer.wrap(bytes).getLong();
            return stored;
        }
        stored = Long.MIN_VALUE;
        if (bytes != null) {
            counts.add(Count.UNREADABLE);
            store.unreadable(KEY);
            return Long.MAX_VALUE;
        }
        return firstLife ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    void flush(long newest) {
        if (newest > stored) {
            stored = newest;
            store.write(KEY, ByteBuffer.allocate(Long.BYTES).putLong(newest).array());
        }
    }
}
