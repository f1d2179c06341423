package io.sluice.analyzer.meter;

import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.analyzer.window.Sums;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.Values;
import org.jspecify.annotations.Nullable;

/** Sum of one slot since it was last drained. */
final class Sum {
    static final Sum[] NONE = {};
    /** No event was counted since it was created: its loads are not known. */
    static final Sum[] UNKNOWN = {};

    /** This object, its entry in a map, and an array of loads. */
    private static final long BYTES = 134;

    final Slot slot;
    private final DistinctHash hash;
    /** The same event's loads, so that it finds them without a lookup; some may have left already. */
    Sum[] loads = UNKNOWN;

    boolean heavy;
    boolean left;
    private long admitted;
    private long admittedCount;
    private long rejectedCount;
    private long micros;
    private @Nullable DistinctValues values;
    private long firstTime = Long.MAX_VALUE;
    private long newestTime = Long.MIN_VALUE;

    /** @param hash of the values, where different ones are counted */
    Sum(Slot slot, DistinctHash hash) {
        this.slot = slot;
        this.hash = hash;
    }

    /** Estimated bytes of heap. Names that several sums share are counted in each. */
    long bytes() {
        return BYTES + slot.bytes() + (values == null ? 0 : values.bytes());
    }

    /** Adds what was held back of a pane, or of a value in it. */
    void add(long amount, long count, long first, long newest, boolean distinct) {
        if (distinct) {
            addHash(amount);
        } else {
            admitted = Sums.plus(admitted, amount);
        }
        admittedCount = Sums.plus(admittedCount, count);
        firstTime = Math.min(firstTime, first);
        newestTime = Math.max(newestTime, newest);
    }

    void add(RequestEvent event, long amount, MeteredGroup group) {
        long count = Math.max(1, event.count());
        if (event.rejected()) {
            rejectedCount = Sums.plus(rejectedCount, count);
        } else {
            admitted = Sums.plus(admitted, amount);
            admittedCount = Sums.plus(admittedCount, count);
            if (group.timed()) {
                micros = Sums.plus(micros, Math.max(0, event.micros()));
            }
            if (group.distinct != null) {
                add(group.distinct.valueOf(event));
            }
        }
        firstTime = Math.min(firstTime, event.time());
        newestTime = Math.max(newestTime, event.time());
    }

    private void add(@Nullable String value) {
        if (value != null) {
            addHash(hash.of(value));
        }
    }

    private void addHash(long value) {
        if (values == null) {
            values = hash.none();
        }
        if (values.addHash(value)) {
            admitted = values.count();
        }
    }

    /** Admitted sum: an amount, or a number of distinct values. */
    long admitted() {
        return admitted;
    }

    UsagePartial partial(Origin origin, long seq) {
        return new UsagePartial(
                slot.load(),
                slot.pane(),
                admitted,
                admittedCount,
                rejectedCount,
                firstTime,
                newestTime,
                origin,
                seq,
                micros,
                values == null ? Values.NONE : new Values(values.encode()));
    }
}
