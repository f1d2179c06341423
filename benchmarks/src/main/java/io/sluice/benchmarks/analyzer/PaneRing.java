package io.sluice.benchmarks.analyzer;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** A window by hand: six panes of ten seconds a caller, read from a cached store and written back at each event. */
final class PaneRing implements Processor<String, byte[], Void, Void> {
    private static final String STORE = "panes";
    private static final int PANES = 6;
    private static final long PANE_MILLIS = 10_000;

    private final AtomicLong events;
    private final NeededFields fields = new NeededFields();
    private KeyValueStore<String, byte[]> store;

    @SuppressWarnings("NullAway.Init")
    private PaneRing(AtomicLong events) {
        this.events = events;
    }

    static Topology topology(String topic, AtomicLong events) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.addStateStore(
                Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(STORE), Serdes.String(), Serdes.ByteArray())
                        .withCachingEnabled());
        builder.stream(topic, Consumed.with(Serdes.String(), Serdes.ByteArray()))
                .process(() -> new PaneRing(events), STORE);
        return builder.build();
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        store = context.getStateStore(STORE);
    }

    @Override
    public void process(Record<String, byte[]> record) {
        fields.read(record.value());
        long pane = record.timestamp() / PANE_MILLIS;
        byte[] stored = store.get(fields.caller);
        long[] panes = new long[PANES];
        long newest = pane;
        if (stored != null) {
            ByteBuffer from = ByteBuffer.wrap(stored);
            newest = Math.max(pane, from.getLong());
            long written = ByteBuffer.wrap(stored).getLong();
            for (int i = 0; i < PANES; i++) {
                long count = from.getLong();
                // the ring's slots that time has passed since begin anew
                panes[i] = written - Math.floorMod(written - i, PANES) > newest - PANES ? count : 0;
            }
        }
        panes[(int) (pane % PANES)]++;
        ByteBuffer to = ByteBuffer.allocate(Long.BYTES * (1 + PANES)).putLong(newest);
        for (long count : panes) {
            to.putLong(count);
        }
        store.put(fields.caller, to.array());
        events.lazySet(events.getPlain() + 1);
    }
}
