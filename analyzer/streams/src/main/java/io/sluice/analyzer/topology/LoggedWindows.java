package io.sluice.analyzer.topology;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.window.Retention;
import io.sluice.analyzer.window.WindowStore;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/** Windows in one segmented store with a changelog a retention: what is old goes by whole segments, nothing scans. */
final class LoggedWindows implements WindowStore {
    private final Map<Retention, org.apache.kafka.streams.state.WindowStore<Bytes, byte[]>> stores =
            new EnumMap<>(Retention.class);

    private final Counts counts;

    LoggedWindows(ProcessorContext<?, ?> context, Counts counts) {
        this.counts = counts;
        for (Retention retention : Retention.values()) {
            stores.put(retention, context.getStateStore(Names.windows(retention)));
        }
    }

    @Override
    public byte @Nullable [] read(Retention retention, byte[] key, long blockStart) {
        return store(retention).fetch(Bytes.wrap(key), blockStart);
    }

    @Override
    public void write(Retention retention, byte[] key, long blockStart, byte[] block) {
        store(retention).put(Bytes.wrap(key), block, blockStart);
    }

    @Override
    public void unreadable() {
        counts.add(Count.UNREADABLE);
    }

    private org.apache.kafka.streams.state.WindowStore<Bytes, byte[]> store(Retention retention) {
        var store = stores.get(retention);
        if (store == null) {
            throw new IllegalStateException("no store for " + retention);
        }
        return store;
    }
}
