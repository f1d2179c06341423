package io.sluice.contract.usage;

import io.sluice.contract.json.MalformedRecord;

/**
 * Loads in binary: the values of the loads topic. A kind byte, then varints: first pane, number of panes, the three
 * sums of each pane, since, asOf. Thread-safe.
 */
public final class LoadCodec {
    /** The most panes of one load: windows of 600 panes, and as many again for lateness. */
    public static final int MAX_PANES = 4096;

    private LoadCodec() {}

    public static byte[] write(Load load) {
        int panes = load.panes();
        int size = 1
                + Varints.size(load.firstPane())
                + Varints.size(panes)
                + Varints.size(load.since())
                + Varints.size(load.asOf());
        for (int i = 0; i < panes; i++) {
            size += Varints.size(load.admitted()[i])
                    + Varints.size(load.admittedCount()[i])
                    + Varints.size(load.rejectedCount()[i]);
        }
        byte[] to = new byte[size];
        to[0] = BinaryKind.LOAD;
        int at = Varints.put(to, 1, load.firstPane());
        at = Varints.put(to, at, panes);
        for (int i = 0; i < panes; i++) {
            at = Varints.put(to, at, load.admitted()[i]);
            at = Varints.put(to, at, load.admittedCount()[i]);
            at = Varints.put(to, at, load.rejectedCount()[i]);
        }
        at = Varints.put(to, at, load.since());
        Varints.put(to, at, load.asOf());
        return to;
    }

    /** @throws MalformedRecord for everything that {@link #write} does not write, and for any other format */
    public static Load read(byte[] value) throws MalformedRecord {
        if (BinaryKind.of(value, "load") != BinaryKind.LOAD) {
            throw new MalformedRecord("load: not a load");
        }
        VarintReader from = new VarintReader(value, 1);
        long firstPane = from.next("load.firstPane");
        // each pane takes three bytes at least: a short record can't ask for long arrays
        int panes = (int) from.next("load.panes", Math.min(MAX_PANES, value.length / 3));
        long[] admitted = new long[panes];
        long[] admittedCount = new long[panes];
        long[] rejectedCount = new long[panes];
        for (int i = 0; i < panes; i++) {
            admitted[i] = from.next("load.admitted");
            admittedCount[i] = from.next("load.admittedCount");
            rejectedCount[i] = from.next("load.rejectedCount");
        }
        Load load = new Load(
                firstPane, admitted, admittedCount, rejectedCount, from.next("load.since"), from.next("load.asOf"));
        from.end("load");
        return load;
    }
}
