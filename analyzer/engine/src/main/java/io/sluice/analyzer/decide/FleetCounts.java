package io.sluice.analyzer.decide;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The active subjects and enforced locks of every decide task of the fleet, by policy, as their heartbeats report them. All tasks of a process
 * share them: with a thousand tasks, each would otherwise have to look at the heartbeats of all others. Thread-safe.
 */
public final class FleetCounts {
    private static final Others NONE = new Others(0, 0, 0);

    /** Tasks that have, or had, counts. */
    private final Map<Integer, TaskCounts> tasks = new ConcurrentHashMap<>();

    private volatile Map<String, Long> windows = Map.of();

    /**
     * Counts of a task.
     *
     * @param former active subjects of its last epochs. Those of a policy count until the task has had time to see them again
     * @param end when its last epoch was found to have ended
     */
    private record TaskCounts(AnalyzerHeartbeat heartbeat, Map<String, Integer> former, long end) {}

    /** Takes the policies, whose windows tell how long a new epoch may take to see all active subjects. */
    public void policies(PolicySet set) {
        windows = set.policies().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Policy::name, policy -> policy.window().millis(), Math::max));
    }

    /**
     * Takes a heartbeat of a decide task, with all of its counts.
     *
     * @param append when the broker appended it, epoch milliseconds
     */
    public void heartbeat(AnalyzerHeartbeat heartbeat, long append) {
        int task = TaskHeartbeats.task(heartbeat.version());
        if (task >= 0) {
            tasks.compute(task, (number, known) -> next(known, heartbeat, append));
        }
    }

    private @Nullable TaskCounts next(@Nullable TaskCounts known, AnalyzerHeartbeat heartbeat, long append) {
        if (known == null) {
            boolean empty = heartbeat.active().isEmpty() && heartbeat.enforced().isEmpty();
            return empty ? null : new TaskCounts(heartbeat, Map.of(), append);
        }
        long epoch = known.heartbeat.version().epoch();
        if (epoch > heartbeat.version().epoch()) {
            return known; // from an earlier incarnation that has not stopped yet
        }
        return epoch == heartbeat.version().epoch()
                ? new TaskCounts(heartbeat, known.former, known.end)
                : new TaskCounts(heartbeat, active(known, append), append);
    }

    /** Returns the active subjects of a task by policy, at a time. */
    private Map<String, Integer> active(TaskCounts counts, long time) {
        if (counts.former.isEmpty()) {
            return counts.heartbeat.active();
        }
        Map<String, Integer> active = new HashMap<>(counts.heartbeat.active());
        counts.former.forEach((policy, count) -> {
            if (time < counts.end + settling(policy)) {
                active.merge(policy, count, Math::max);
            }
        });
        return active;
    }

    /** Returns how long a new epoch may take to see all active subjects of a policy, in milliseconds. */
    private long settling(String policy) {
        return Math.max(windows.getOrDefault(policy, 0L), GuardRebalancer.HEARING_MILLIS);
    }

    /**
     * Returns the counts at a time. Looks at those of all tasks: to be called about once a second for all tasks of a process.
     *
     * @param time broker time, epoch milliseconds
     */
    public Snapshot at(long time) {
        List<Counted> all = new ArrayList<>();
        new TreeMap<>(tasks)
                .forEach((task, counts) ->
                        all.add(new Counted(task, active(counts, time), counts.heartbeat.enforced())));
        return new Snapshot(all);
    }

    /** Counts of a task by policy. */
    private record Counted(int task, Map<String, Integer> active, Map<String, Integer> enforced) {}

    /**
     * Counts of a policy up to a task.
     *
     * @param active subjects of all tasks up to this one, itself included
     * @param enforced locks of these tasks
     */
    private record Row(int task, long active, long enforced) {
        static final Row NONE = new Row(-1, 0, 0);

        Row next(int next, long moreActive, long moreEnforced) {
            return new Row(next, active + moreActive, enforced + moreEnforced);
        }
    }

    /**
     * What the other tasks have of a policy.
     *
     * @param active subjects of all of them
     * @param enforced locks of all of them
     * @param enforcedBefore locks of those with lower numbers
     */
    public record Others(long active, long enforced, long enforcedBefore) {}

    /** The counts of all tasks at one time; those of a policy are added up when they are asked for. Thread-safe. */
    public static final class Snapshot {
        static final Snapshot EMPTY = new Snapshot(List.of());

        /** In the order of the tasks. */
        private final List<Counted> tasks;

        private final Map<String, List<Row>> rows = new ConcurrentHashMap<>();

        private Snapshot(List<Counted> tasks) {
            this.tasks = tasks;
        }

        /** Returns what the tasks other than this one have of a policy. */
        public Others others(String policy, int task) {
            if (tasks.isEmpty()) {
                return NONE;
            }
            List<Row> all = rows.computeIfAbsent(policy, this::rows);
            Row before = upTo(all, task - 1);
            Row own = upTo(all, task);
            Row sum = upTo(all, Integer.MAX_VALUE);
            return new Others(
                    sum.active - (own.active - before.active),
                    sum.enforced - (own.enforced - before.enforced),
                    before.enforced);
        }

        private List<Row> rows(String policy) {
            List<Row> sums = new ArrayList<>();
            Row last = Row.NONE;
            for (Counted counted : tasks) {
                int active = counted.active.getOrDefault(policy, 0);
                int enforced = counted.enforced.getOrDefault(policy, 0);
                if (active != 0 || enforced != 0) {
                    last = last.next(counted.task, active, enforced);
                    sums.add(last);
                }
            }
            return sums;
        }

        private static Row upTo(List<Row> rows, int task) {
            int from = 0;
            int to = rows.size();
            while (from < to) {
                int middle = (from + to) >>> 1;
                if (rows.get(middle).task <= task) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            return from == 0 ? Row.NONE : rows.get(from - 1);
        }
    }
}
