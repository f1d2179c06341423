package io.sluice.analyzer.window;

import io.sluice.analyzer.distinct.DistinctUnion;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.usage.Values;
import io.sluice.contract.usage.VarintReader;
import io.sluice.contract.usage.Varints;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The different values of a block's panes: of those in which there were any. */
final class PaneValues {
    /** A set's objects and its place in the tree. */
    private static final long EMPTY_BYTES = 128;

    private final TreeMap<Long, DistinctValues> panes = new TreeMap<>();
    private long bytes;

    void add(long pane, DistinctValues more) {
        DistinctValues known = panes.get(pane);
        if (known != null && known.key() != more.key()) {
            if (more.key() == 0) {
                // of a former version, which hashed without a key
                return;
            }
            bytes -= EMPTY_BYTES + known.bytes();
            put(pane, more.copy());
        } else if (known == null) {
            put(pane, more.copy());
        } else {
            bytes -= known.bytes();
            known.addAll(more);
            bytes += known.bytes();
        }
    }

    private void put(long pane, DistinctValues values) {
        panes.put(pane, values);
        bytes += EMPTY_BYTES + values.bytes();
    }

    /** Estimated bytes of heap. */
    long bytes() {
        return bytes;
    }

    void gather(long firstPane, long lastPane, DistinctUnion to) {
        panes.subMap(firstPane, true, lastPane, true).values().forEach(to::add);
    }

    /** The first {@code length} bytes of {@code head}, with all values behind them. */
    byte[] behind(byte[] head, int length, long firstPane) {
        int size = length + Varints.LONGEST;
        Map<Long, byte[]> encoded = new TreeMap<>();
        for (Map.Entry<Long, DistinctValues> pane : panes.entrySet()) {
            byte[] bytes = pane.getValue().encode();
            encoded.put(pane.getKey() - firstPane, bytes);
            size += 2 * Varints.LONGEST + bytes.length;
        }
        byte[] to = new byte[size];
        System.arraycopy(head, 0, to, 0, length);
        int at = Varints.put(to, length, panes.size());
        for (Map.Entry<Long, byte[]> pane : encoded.entrySet()) {
            at = Varints.put(to, at, pane.getKey());
            at = Varints.put(to, at, pane.getValue().length);
            System.arraycopy(pane.getValue(), 0, to, at, pane.getValue().length);
            at += pane.getValue().length;
        }
        return Arrays.copyOf(to, at);
    }

    static PaneValues decode(VarintReader in, long firstPane, int mostPanes) throws MalformedRecord {
        PaneValues values = new PaneValues();
        int size = (int) in.next("panes with values", mostPanes);
        for (int i = 0; i < size; i++) {
            long pane = firstPane + in.next("pane", mostPanes - 1L);
            values.put(pane, DistinctValues.decode(in.block("values", Values.MAX_BYTES)));
        }
        return values;
    }
}
