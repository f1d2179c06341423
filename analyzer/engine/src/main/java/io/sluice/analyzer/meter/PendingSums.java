package io.sluice.analyzer.meter;

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
    /** Those that leave at the next tick; some are in none of the maps. */
    private final List<Sum> leaving = new ArrayList<>();

    private final Slot probe = new Slot();
    private final Slot loadProbe = new Slot();
    private long bytes;

    /** Estimated bytes of heap. */
    long bytes() {
        return bytes;
    }

    /**
     * Adds an event to its subject, and to the loads of the subject's groups.
     *
     * @param policies those for which the subject is counted; without any, only the loads are
     */
    void add(MeteredGroup group, long policies, String[] subject, RequestEvent event, long[] amounts) {
        if (policies == 0) {
            addToLoads(group, subject, event, amounts);
            return;
        }
        long pane = group.pane(event);
        Sum sum = subject(group, policies, subject, pane);
        if (sum.loads == Sum.UNKNOWN) {
            sum.loads = loads(group, sum.slot.values(), pane);
        }
        add(sum, event, amounts);
        for (int load = 0; load < sum.loads.length; load++) {
            if (sum.loads[load].left) {
                sum.loads[load] = load(group, load, sum.slot.values(), pane);
            }
            add(sum.loads[load], event, amounts);
        }
        if (sum.isHeavy()) {
            drainSoon(sum);
        }
    }

    private void addToLoads(MeteredGroup group, String[] subject, RequestEvent event, long[] amounts) {
        for (int load = 0; load < group.loads.length; load++) {
            add(load(group, load, subject, group.pane(event)), event, amounts);
        }
    }

    private void add(Sum sum, RequestEvent event, long[] amounts) {
        if (sum.group.key.distinct() == null) {
            sum.add(event, amounts);
        } else {
            long before = sum.bytes();
            sum.add(event, amounts);
            bytes += sum.bytes() - before;
        }
    }

    /** Adds what was held back of a subject, to be drained for these policies at the next tick. */
    void release(MeteredGroup group, long policies, String[] subject, PaneCells cells, int firstCell) {
        Map<Long, Sum> apart = new HashMap<>();
        for (int cell : cells.inOrder(firstCell)) {
            long to = policies & ~cells.sent(cell);
            if (to != 0) {
                Sum sum = releasing(group, to, subject, cells.pane(cell), apart);
                long before = sum.bytes();
                sum.add(cells, cell);
                bytes += sum.bytes() - before;
                drainSoon(sum);
            }
        }
    }

    /** Finds the sum of a pane; one beside it when that is for other policies. */
    private Sum releasing(MeteredGroup group, long to, String[] subject, long pane, Map<Long, Sum> apart) {
        probe.subject(group, subject, pane);
        Sum sum = subjects.get(probe);
        if (sum != null && sum.policies != to) {
            // panes fit beside a set of policies
            sum = apart.computeIfAbsent(
                    (to << (Long.SIZE - PaneCells.POLICY_BITS)) | pane, missing -> create(group, to));
        } else if (sum == null) {
            sum = create(group, to);
            subjects.put(sum.slot, sum);
        }
        return sum;
    }

    private Sum create(MeteredGroup group, long policies) {
        Sum sum = Sum.ofSubject(probe.copy(), group, policies);
        bytes += sum.bytes();
        return sum;
    }

    private Sum subject(MeteredGroup group, long policies, String[] subject, long pane) {
        probe.subject(group, subject, pane);
        Sum sum = subjects.get(probe);
        if (sum == null || sum.policies != policies) {
            if (sum != null) {
                // in no map any more
                drainSoon(sum);
            }
            sum = create(group, policies);
            subjects.put(sum.slot, sum);
        }
        return sum;
    }

    private Sum load(MeteredGroup group, int index, String[] subject, long pane) {
        MeteredLoad load = group.loads[index];
        loadProbe.load(load, subject, pane);
        Sum sum = loads.get(loadProbe);
        if (sum == null) {
            sum = Sum.ofLoad(loadProbe.copy(), group, load);
            loads.put(sum.slot, sum);
            bytes += sum.bytes();
        }
        return sum;
    }

    private Sum[] loads(MeteredGroup group, String[] subject, long pane) {
        if (group.loads.length == 0) {
            return Sum.NONE;
        }
        Sum[] sums = new Sum[group.loads.length];
        for (int load = 0; load < sums.length; load++) {
            sums[load] = load(group, load, subject, pane);
        }
        return sums;
    }

    private void drainSoon(Sum sum) {
        if (!sum.heavy) {
            sum.heavy = true;
            leaving.add(sum);
        }
    }

    /**
     * Drains the sums that hold a good part of a threshold, with the loads they are part of.
     *
     * @return whether all loads were drained, too
     */
    boolean drainHeavy(Consumer<Sum> to) {
        boolean shared = false;
        for (Sum sum : leaving) {
            boolean current = subjects.remove(sum.slot, sum);
            drain(sum, to);
            shared |= sum.loads.length > 0;
            Sum successor = current ? sum.successor() : null;
            if (successor != null) {
                subjects.put(successor.slot, successor);
                bytes += successor.bytes();
            }
        }
        boolean all = shared && loads.size() <= MOST_LOADS_A_TICK;
        if (all) {
            drain(loads, to);
        } else if (shared) {
            leaving.forEach(sum -> drainLoadsOf(sum, to));
        }
        leaving.clear();
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
        for (Sum sum : leaving) {
            subjects.remove(sum.slot, sum);
            drain(sum, to);
        }
        leaving.clear();
        drain(subjects, to);
        drain(loads, to);
    }

    private void drain(Map<Slot, Sum> sums, Consumer<Sum> to) {
        sums.values().forEach(sum -> drain(sum, to));
        sums.clear();
    }

    private void drain(Sum sum, Consumer<Sum> to) {
        sum.left = true;
        bytes -= sum.bytes();
        if (!sum.isEmpty()) {
            to.accept(sum);
        }
    }

    void discard() {
        subjects.clear();
        loads.clear();
        leaving.clear();
        bytes = 0;
    }
}
