package io.sluice.contract.usage;

import io.sluice.contract.json.MalformedRecord;

/**
 * Loads in binary: the values of the loads topic. A kind byte, then varints: first pane, number of panes, the three
 * sums of each pane, since, asOf; where service times are known these of each pane, and the two numbers of their baseline as
 * the bits of a double. Thread-safe.
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
        Load.Service service = load.service();
        byte[] to = new byte[size + (service == null ? 0 : size(service))];
        to[0] = service == null ? BinaryKind.LOAD : BinaryKind.TIMED_LOAD;
        int at = Varints.put(to, 1, load.firstPane());
        at = Varints.put(to, at, panes);
        for (int i = 0; i < panes; i++) {
            at = Varints.put(to, at, load.admitted()[i]);
            at = Varints.put(to, at, load.admittedCount()[i]);
            at = Varints.put(to, at, load.rejectedCount()[i]);
        }
        at = Varints.put(to, at, load.since());
        at = Varints.put(to, at, load.asOf());
        if (service != null) {
            for (long micros : service.micros()) {
                at = Varints.put(to, at, micros);
            }
            at = Varints.put(to, at, Double.doubleToLongBits(service.baselineMicros()));
            Varints.put(to, at, Double.doubleToLongBits(service.baselineCount()));
        }
        return to;
    }

    private static int size(Load.Service service) {
        int size = Varints.size(Double.doubleToLongBits(service.baselineMicros()))
                + Varints.size(Double.doubleToLongBits(service.baselineCount()));
        for (long micros : service.micros()) {
            size += Varints.size(micros);
        }
        return size;
    }

    /** @throws MalformedRecord for everything that {@link #write} does not write, and for any other format */
    public static Load read(byte[] value) throws MalformedRecord {
        byte kind = BinaryKind.of(value, "load");
        if (kind != BinaryKind.LOAD && kind != BinaryKind.TIMED_LOAD) {
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
        long since = from.next("load.since");
        long asOf = from.next("load.asOf");
        Load.Service service = kind == BinaryKind.TIMED_LOAD ? service(panes, from) : null;
        from.end("load");
        return new Load(firstPane, admitted, admittedCount, rejectedCount, since, asOf, service);
    }

    private static Load.Service service(int panes, VarintReader from) throws MalformedRecord {
        long[] micros = new long[panes];
        for (int i = 0; i < panes; i++) {
            micros[i] = from.next("load.micros");
        }
        return new Load.Service(micros, real(from, "load.baselineMicros"), real(from, "load.baselineCount"));
    }

    private static double real(VarintReader from, String field) throws MalformedRecord {
        return Double.longBitsToDouble(from.next(field, Double.doubleToLongBits(Double.MAX_VALUE)));
    }
}
