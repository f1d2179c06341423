package io.sluice.analyzer.meter;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up request events for every policy that matches them: one partial sum for each subject and pane, and one for each
 * group and pane where a policy asks for shares. Sums wait in heap until they are drained, so that a busy caller becomes a
 * few records however many requests it makes. One thread; it must be drained before the events are committed.
 */
public final class Meter {
    /** So many loads may leave at a tick for the sake of one heavy caller. */
    private static final int MOST_LOADS_A_TICK = 1024;

    private final int task;
    private final int requestPartitions;
    private final Map<Slot, Sum> subjects = new HashMap<>();
    private final Map<Slot, Sum> loads = new HashMap<>();
    private final List<Sum> heavy = new ArrayList<>();
    private MeteredPolicy[] policies = {};
    private PolicySet set = new PolicySet(true, List.of(), PolicySet.Guard.DEFAULT, List.of(), "");
    private final Slot probe = new Slot();
    private final Slot groupProbe = new Slot();
    private int compiled;
    private Origin origin;
    private long seq;
    private long pending;

    /**
     * @param task the partition of the requests topic that is read
     * @param requestPartitions how many there are
     */
    public Meter(int task, int requestPartitions) {
        if (requestPartitions < 1) {
            throw new IllegalArgumentException("request partitions: " + requestPartitions + ", at least 1");
        }
        this.task = task;
        this.requestPartitions = requestPartitions;
        this.origin = new Origin(task, 0);
    }

    /** From now on counts for these policies. What was counted before still leaves under the old ones. */
    public void policies(PolicySet newSet) {
        List<MeteredPolicy> metered = new ArrayList<>();
        for (Policy policy : newSet.policies()) {
            if (policy.locks()) {
                metered.add(new MeteredPolicy(compiled++, policy, requestPartitions));
            }
        }
        policies = metered.toArray(MeteredPolicy[]::new);
        set = newSet;
    }

    /** Starts a new life, empty. */
    public void begin(long epoch) {
        discard();
        origin = new Origin(task, epoch);
        seq = 0;
    }

    /** Counts an event at its time. */
    public void add(RequestEvent event) {
        pending++;
        boolean asked = false;
        boolean allowed = false;
        for (MeteredPolicy policy : policies) {
            if (!policy.matches(event) || !policy.subject(event, probe.room(policy.subjectSize()))) {
                continue;
            }
            if (!asked) {
                asked = true;
                allowed = set.allows(event, event.time());
            }
            long pane = policy.pane(event);
            long amount = policy.amount(event);
            if (!allowed && policy.believes(event)) {
                addToSubject(policy, event, pane, amount);
            } else {
                for (int group = 0; group < policy.groups.size(); group++) {
                    load(policy, group, probe.values(), pane).add(event, amount, policy);
                }
            }
        }
    }

    private void addToSubject(MeteredPolicy policy, RequestEvent event, long pane, long amount) {
        probe.subject(policy, pane);
        Sum sum = subjects.get(probe);
        if (sum == null) {
            Slot slot = probe.copy();
            sum = new Sum(slot, loads(policy, slot.values(), pane));
            subjects.put(slot, sum);
        }
        sum.add(event, amount, policy);
        for (int group = 0; group < sum.loads.length; group++) {
            if (sum.loads[group].left) {
                sum.loads[group] = load(policy, group, sum.slot.values(), pane);
            }
            sum.loads[group].add(event, amount, policy);
        }
        if (!sum.heavy && sum.admitted() > policy.mark) {
            sum.heavy = true;
            heavy.add(sum);
        }
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

    private Sum load(MeteredPolicy policy, int group, String[] subject, long pane) {
        groupProbe.group(policy, group, subject, pane);
        Sum sum = loads.get(groupProbe);
        if (sum == null) {
            Slot slot = groupProbe.copy();
            sum = new Sum(slot, Sum.NONE);
            loads.put(slot, sum);
        }
        return sum;
    }

    /**
     * Lets go of the sums that hold a good part of a threshold, with the loads they are part of.
     *
     * @return whether all loads have left too, so that a {@link #position} may follow
     */
    public boolean drainHeavy(PartialSink sink) {
        boolean shared = false;
        for (Sum sum : heavy) {
            subjects.remove(sum.slot);
            leave(sum, sink);
            shared |= sum.loads.length > 0;
        }
        boolean all = shared && loads.size() <= MOST_LOADS_A_TICK;
        if (all) {
            drain(loads, sink);
        } else if (shared) {
            heavy.forEach(sum -> drainLoadsOf(sum, sink));
        }
        heavy.clear();
        return all;
    }

    private void drainLoadsOf(Sum sum, PartialSink sink) {
        for (Sum load : sum.loads) {
            if (!load.left) {
                loads.remove(load.slot);
                leave(load, sink);
            }
        }
    }

    /** Lets go of everything. */
    public void drainAll(PartialSink sink) {
        drain(subjects, sink);
        drain(loads, sink);
        heavy.clear();
        pending = 0;
    }

    private void drain(Map<Slot, Sum> sums, PartialSink sink) {
        sums.values().forEach(sum -> leave(sum, sink));
        sums.clear();
    }

    private void leave(Sum sum, PartialSink sink) {
        sum.left = true;
        sink.partial(sum.slot.key(), sum.partial(origin, seq++));
    }

    /** Forgets everything that has not left. */
    public void discard() {
        subjects.clear();
        loads.clear();
        heavy.clear();
        pending = 0;
    }

    /** How many events were added since {@link #drainAll}. */
    public long pending() {
        return pending;
    }

    /**
     * Returns the record of how far this meter has read, to be sent after all partials.
     *
     * @param append append time of the newest event read, or of the end of the log, epoch milliseconds
     */
    public MeterPosition position(long append) {
        return new MeterPosition(append, origin, seq++);
    }
}
