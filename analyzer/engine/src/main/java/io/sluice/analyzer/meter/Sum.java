package io.sluice.analyzer.meter;

import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.analyzer.window.Sums;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.Values;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sums of one slot since it was last drained: of a subject, for some policies of its group, or of a load, for the load's policy. */
final class Sum {
    static final Sum[] NONE = {};
    /** No event was counted since it was created: its loads are not known. */
    static final Sum[] UNKNOWN = {};

    /** This object, its entry in a map, and its arrays. */
    private static final long BYTES = 150;

    final Slot slot;
    final MeteredGroup group;
    /** The policies that the sums are for. */
    final long policies;
    /** The same event's loads, so that it finds them without a lookup; some may have left already. */
    Sum[] loads = UNKNOWN;

    boolean heavy;
    boolean left;
    private final @Nullable MeteredLoad load;
    private final long[] admitted;
    private long admittedCount;
    private long rejectedCount;
    private long micros;
    private @Nullable DistinctValues values;
    /** Values that have left already. */
    private @Nullable DistinctValues known;

    private long firstTime = Long.MAX_VALUE;
    private long newestTime = Long.MIN_VALUE;

    private Sum(Slot slot, MeteredGroup group, long policies, @Nullable MeteredLoad load) {
        this.slot = slot;
        this.group = group;
        this.policies = policies;
        this.load = load;
        admitted = new long[group.amountsSize()];
    }

    static Sum ofSubject(Slot slot, MeteredGroup group, long policies) {
        return new Sum(slot, group, policies, null);
    }

    static Sum ofLoad(Slot slot, MeteredGroup group, MeteredLoad load) {
        return new Sum(slot, group, 1L << load.policy(), load);
    }

    /**
     * Returns a sum that goes on where this one has left: values that have left do not leave again before the next commit. {@code null} where no
     * values are counted.
     */
    @Nullable
    Sum successor() {
        if (values == null && known == null) {
            return null;
        }
        Sum successor = new Sum(slot, group, policies, load);
        successor.known = known == null ? values : known;
        successor.loads = loads;
        return successor;
    }

    /** Returns whether nothing was added. */
    boolean isEmpty() {
        return newestTime == Long.MIN_VALUE;
    }

    /** Estimated bytes of heap. Names that several sums share are counted in each. */
    long bytes() {
        return BYTES + (long) admitted.length * Long.BYTES + slot.bytes() + bytes(values) + bytes(known);
    }

    private static long bytes(@Nullable DistinctValues values) {
        return values == null ? 0 : values.bytes();
    }

    /** Adds what was held back of a pane, or of a value in it. */
    void add(PaneCells cells, int cell) {
        for (int i = 0; i < admitted.length; i++) {
            add(i, cells.amount(cell, i));
        }
        admittedCount = Sums.plus(admittedCount, cells.count(cell));
        long begin = cells.pane(cell) * group.key.window().paneMillis();
        firstTime = Math.min(firstTime, begin + cells.firstTime(cell));
        newestTime = Math.max(newestTime, begin + cells.newestTime(cell));
    }

    /** @param amounts of the event; the hash of its value, where distinct ones are counted */
    void add(RequestEvent event, long[] amounts) {
        long count = Math.max(1, event.count());
        if (event.rejected()) {
            rejectedCount = Sums.plus(rejectedCount, count);
        } else {
            for (int i = 0; i < admitted.length; i++) {
                add(i, amounts[i]);
            }
            admittedCount = Sums.plus(admittedCount, count);
            if (group.key.timed()) {
                micros = Sums.plus(micros, Math.max(0, event.micros()));
            }
        }
        firstTime = Math.min(firstTime, event.time());
        newestTime = Math.max(newestTime, event.time());
    }

    private void add(int index, long amount) {
        if (group.key.distinct() == null) {
            admitted[index] = Sums.plus(admitted[index], amount);
        } else {
            addValue(group.hash, amount);
        }
    }

    private void addValue(DistinctHash hash, long value) {
        if (value == QuietTable.NO_VALUE || (known != null && !known.addHash(value))) {
            return;
        }
        if (values == null) {
            values = hash.none();
        }
        if (values.addHash(value)) {
            admitted[0] = values.count();
        }
    }

    /** Returns whether it holds a good part of a threshold. */
    boolean isHeavy() {
        return group.heavy(admitted);
    }

    /** The key under which it travels for one of its policies. */
    UsageKey key(int policy) {
        List<String> all = Arrays.asList(slot.values());
        return load == null
                ? new UsageKey(group.policies[policy].revision, all)
                : load.group().key(all);
    }

    /** What travels of it for one of its policies. */
    UsagePartial partial(int policy, Origin origin, long seq) {
        return new UsagePartial(
                load != null,
                slot.pane(),
                admitted[group.amountOf[policy]],
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
