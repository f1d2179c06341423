package io.sluice.analyzer.meter;

import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.contract.event.RequestEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The sums of subjects and of groups that a {@link Meter} has not drained yet, each of one pane. Not thread-safe. */
final class PendingSums {
    /** So many loads may leave at a tick for the sake of one heavy caller. */
    private static final int MOST_LOADS_A_TICK = 1024;

    private final Map<Slot, Sum> subjects = new HashMap<>();
    private final Map<Slot, Sum> loads = new HashMap<>();
    private final List<Sum> heavy = new ArrayList<>();
    private final Slot probe = new Slot();
    private final Slot groupProbe = new Slot();
    private final DistinctHash hash;
    private long bytes;

    PendingSums(DistinctHash hash) {
        this.hash = hash;
    }

    /** Estimated bytes of heap. */
    long bytes() {
        return bytes;
    }

    /** Adds an event to its subject, and to the loads of the subject's groups. */
    void add(MeteredGroup group, MeteredPolicy policy, String[] subject, RequestEvent event, long amount) {
        long pane = group.pane(event);
        Sum sum = subject(policy, subject, pane);
        if (sum.loads == Sum.UNKNOWN) {
            sum.loads = loads(policy, sum.slot.values(), pane);
        }
        add(sum, event, amount, group);
        for (int load = 0; load < sum.loads.length; load++) {
            if (sum.loads[load].left) {
                sum.loads[load] = load(policy, load, sum.slot.values(), pane);
            }
            add(sum.loads[load], event, amount, group);
        }
        if (sum.admitted() > policy.heavy) {
            drainSoon(sum);
        }
    }

    /** Adds an event to the loads of its subject's groups alone. */
    void addToLoads(MeteredGroup group, MeteredPolicy policy, String[] subject, RequestEvent event, long amount) {
        for (int load = 0; load < policy.groups.size(); load++) {
            add(load(policy, load, subject, group.pane(event)), event, amount, group);
        }
    }

    private void add(Sum sum, RequestEvent event, long amount, MeteredGroup group) {
        if (group.distinct == null) {
            sum.add(event, amount, group);
        } else {
            long before = sum.bytes();
            sum.add(event, amount, group);
            bytes += sum.bytes() - before;
        }
    }

    /** Adds what was held back of a subject's pane, to be drained at the next tick. */
    void release(MeteredPolicy policy, String[] subject, PaneCells cells, int cell, MeteredGroup group) {
        Sum sum = subject(policy, subject, cells.pane(cell));
        long before = sum.bytes();
        long begin = cells.pane(cell) * group.key.window().paneMillis();
        sum.add(
                cells.amount(cell),
                cells.count(cell),
                begin + cells.firstTime(cell),
                begin + cells.newestTime(cell),
                group.distinct != null);
        bytes += sum.bytes() - before;
        drainSoon(sum);
    }

    private Sum subject(MeteredPolicy policy, String[] subject, long pane) {
        probe.subject(policy, subject, pane);
        return find(subjects, probe);
    }

    private Sum load(MeteredPolicy policy, int group, String[] subject, long pane) {
        groupProbe.group(policy, group, subject, pane);
        return find(loads, groupProbe);
    }

    private Sum find(Map<Slot, Sum> sums, Slot probe) {
        Sum sum = sums.get(probe);
        if (sum == null) {
            Slot slot = probe.copy();
            sum = new Sum(slot, hash);
            sums.put(slot, sum);
            bytes += sum.bytes();
        }
        return sum;
    }

    private Sum[] loads(MeteredPolicy policy, String[] subject, long pane) {
        if (policy.groups.isEmpty()) {
            return Sum.NONE;
        }
        Sum[] sums = new Sum[policy.groups.size()];
        for (int group = 0; group < sums.length; group++) {
            sums[group] = load(policy, group, subject, pane);
        }
        return sums;
    }

    private void drainSoon(Sum sum) {
        if (!sum.heavy) {
            sum.heavy = true;
            heavy.add(sum);
        }
    }

    /**
     * Drains the sums that hold a good part of a threshold, with the loads they are part of.
     *
     * @return whether all loads were drained, too
     */
    boolean drainHeavy(Consumer<Sum> to) {
        boolean shared = false;
        for (Sum sum : heavy) {
            subjects.remove(sum.slot);
            drain(sum, to);
            shared |= sum.loads.length > 0;
        }
        boolean all = shared && loads.size() <= MOST_LOADS_A_TICK;
        if (all) {
            drain(loads, to);
        } else if (shared) {
            heavy.forEach(sum -> drainLoadsOf(sum, to));
        }
        heavy.clear();
        return all;
    }

    private void drainLoadsOf(Sum sum, Consumer<Sum> to) {
        for (Sum load : sum.loads) {
            if (!load.left) {
                loads.remove(load.slot);
                drain(load, to);
            }
        }
    }

    void drainAll(Consumer<Sum> to) {
        drain(subjects, to);
        drain(loads, to);
        heavy.clear();
    }

    private void drain(Map<Slot, Sum> sums, Consumer<Sum> to) {
        sums.values().forEach(sum -> drain(sum, to));
        sums.clear();
    }

    private void drain(Sum sum, Consumer<Sum> to) {
        sum.left = true;
        bytes -= sum.bytes();
        to.accept(sum);
    }

    void discard() {
        subjects.clear();
        loads.clear();
        heavy.clear();
        bytes = 0;
    }
}
