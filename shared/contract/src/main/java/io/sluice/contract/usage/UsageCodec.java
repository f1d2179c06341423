package io.sluice.contract.usage;

import io.sluice.contract.json.MalformedRecord;

/**
 * Usage records in a few dozen bytes: the values of the usage topic. A kind byte, then varints; the older of two times
 * is written as its distance to the newer. Thread-safe; writing allocates the bytes and nothing else.
 */
public final class UsageCodec {
    private UsageCodec() {}

    public static byte[] write(UsageRecord record) {
        return record instanceof UsagePartial partial ? write(partial) : write((MeterPosition) record);
    }

    private static byte[] write(UsagePartial partial) {
        Origin origin = partial.origin();
        long age = partial.newestTime() - partial.firstTime();
        byte kind = kind(partial);
        byte[] values = partial.values().bytes();
        byte[] to = new byte
                [1
                        + Varints.size(partial.pane())
                        + Varints.size(partial.admitted())
                        + Varints.size(partial.admittedCount())
                        + Varints.size(partial.rejectedCount())
                        + Varints.size(partial.newestTime())
                        + Varints.size(age)
                        + size(origin, partial.seq())
                        + (timed(kind) ? Varints.size(partial.micros()) : 0)
                        + values.length];
        to[0] = kind;
        int at = Varints.put(to, 1, partial.pane());
        at = Varints.put(to, at, partial.admitted());
        at = Varints.put(to, at, partial.admittedCount());
        at = Varints.put(to, at, partial.rejectedCount());
        at = Varints.put(to, at, partial.newestTime());
        at = Varints.put(to, at, age);
        at = put(to, at, origin, partial.seq());
        if (timed(kind)) {
            at = Varints.put(to, at, partial.micros());
        }
        System.arraycopy(values, 0, to, at, values.length);
        return to;
    }

    private static byte kind(UsagePartial partial) {
        if (!partial.values().none()) {
            return BinaryKind.DISTINCT_PARTIAL;
        }
        if (partial.micros() > 0) {
            return partial.load() ? BinaryKind.TIMED_LOAD_PARTIAL : BinaryKind.TIMED_PARTIAL;
        }
        return partial.load() ? BinaryKind.LOAD_PARTIAL : BinaryKind.SUBJECT_PARTIAL;
    }

    private static boolean timed(byte kind) {
        return kind == BinaryKind.TIMED_PARTIAL || kind == BinaryKind.TIMED_LOAD_PARTIAL;
    }

    private static byte[] write(MeterPosition position) {
        byte[] to = new byte[1 + Varints.size(position.position()) + size(position.origin(), position.seq())];
        to[0] = BinaryKind.POSITION;
        put(to, Varints.put(to, 1, position.position()), position.origin(), position.seq());
        return to;
    }

    private static int size(Origin origin, long seq) {
        return Varints.size(origin.task()) + Varints.size(origin.epoch()) + Varints.size(seq);
    }

    private static int put(byte[] to, int from, Origin origin, long seq) {
        int at = Varints.put(to, from, origin.task());
        at = Varints.put(to, at, origin.epoch());
        return Varints.put(to, at, seq);
    }

    /** @throws MalformedRecord for everything that {@link #write} does not write, and for any other format */
    public static UsageRecord read(byte[] value) throws MalformedRecord {
        byte kind = BinaryKind.of(value, "usage");
        VarintReader from = new VarintReader(value, 1);
        UsageRecord record = switch (kind) {
            case BinaryKind.SUBJECT_PARTIAL,
                    BinaryKind.LOAD_PARTIAL,
                    BinaryKind.DISTINCT_PARTIAL,
                    BinaryKind.TIMED_PARTIAL,
                    BinaryKind.TIMED_LOAD_PARTIAL -> partial(kind, from);
            case BinaryKind.POSITION -> position(from);
            default -> throw new MalformedRecord("usage: neither a partial nor a position");
        };
        from.end("usage");
        return record;
    }

    private static UsagePartial partial(byte kind, VarintReader from) throws MalformedRecord {
        long pane = from.next("usage.pane");
        long admitted = from.next("usage.admitted");
        long admittedCount = from.next("usage.admittedCount");
        long rejectedCount = from.next("usage.rejectedCount");
        long newestTime = from.next("usage.newestTime");
        long firstTime = newestTime - from.next("usage.firstTime", newestTime);
        Origin origin = origin(from);
        long seq = from.next("usage.seq");
        long micros = timed(kind) ? from.positive("usage.micros") : 0;
        Values values = kind == BinaryKind.DISTINCT_PARTIAL
                ? new Values(from.rest("usage.values", Values.MAX_BYTES))
                : Values.NONE;
        return new UsagePartial(
                kind == BinaryKind.LOAD_PARTIAL || kind == BinaryKind.TIMED_LOAD_PARTIAL,
                pane,
                admitted,
                admittedCount,
                rejectedCount,
                firstTime,
                newestTime,
                origin,
                seq,
                micros,
                values);
    }

    private static MeterPosition position(VarintReader from) throws MalformedRecord {
        long position = from.next("usage.position");
        Origin origin = origin(from);
        return new MeterPosition(position, origin, from.next("usage.seq"));
    }

    private static Origin origin(VarintReader from) throws MalformedRecord {
        int task = (int) from.next("usage.task", Origin.MOST_TASK);
        return new Origin(task, from.next("usage.epoch"));
    }
}
